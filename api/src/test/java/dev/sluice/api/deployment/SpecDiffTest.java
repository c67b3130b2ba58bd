package dev.sluice.api.deployment;

import static dev.sluice.api.common.DiffKind.IGNORE;
import static dev.sluice.api.common.DiffKind.SAVEPOINT_REDEPLOY;
import static dev.sluice.api.common.DiffKind.SCALE;
import static dev.sluice.api.common.DiffKind.UPGRADE;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.SpecChange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class SpecDiffTest {
  private static final YAMLMapper YAML = new YAMLMapper();

  private static FlinkDeploymentSpec spec(String yaml) {
    try {
      return YAML.readValue(yaml, FlinkDeploymentSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }

  private static SpecDiff diff(String from, String to) {
    return SpecDiff.between(spec(from), spec(to));
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvFileSource(resources = "/rules/changes.txt", delimiter = '|', quoteCharacter = '`')
  void aChangeOfAFieldAsksFor(String from, String to, String paths, DiffKind kind) {
    SpecDiff diff = diff(from, to);

    assertThat(diff.changes().stream().map(SpecChange::path).collect(joining(", ")))
        .isEqualTo(paths == null ? "" : paths);
    assertThat(diff.kind()).isEqualTo(kind);
  }

  @Test
  void theStrongestChangeDecides() {
    SpecDiff diff =
        diff(
            "{image: a, job: {upgradeMode: stateless}}",
            "{image: b, job: {upgradeMode: savepoint, savepointRedeployNonce: 3}}");

    assertThat(diff.changes())
        .extracting(SpecChange::kind)
        .containsExactly(UPGRADE, SAVEPOINT_REDEPLOY, IGNORE);
    assertThat(diff.kind()).isEqualTo(SAVEPOINT_REDEPLOY);
    assertThat(SCALE.or(IGNORE)).isEqualTo(SCALE);
  }

  @Test
  void theDescriptionSaysOldAndNew() {
    assertThat(diff("{image: a, restartNonce: 1}", "{image: b}").describe())
        .isEqualTo("spec.image: a -> b, spec.restartNonce: 1 -> (none)");
  }

  @Test
  void aWholeSectionIsNamedButNotShown() {
    assertThat(diff("{}", "{podTemplate: {spec: {password: x}}}").describe())
        .isEqualTo("spec.podTemplate: (none) -> {...}");
  }

  @Test
  void longTextIsCutShort() {
    String log = "x".repeat(500);

    assertThat(diff("{}", "{logConfiguration: {logback-console.xml: " + log + "}}").describe())
        .hasSizeLessThan(200);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|{flinkConfiguration: {security.ssl.rest.keystore-password: hunter2}}",
        "{}|{flinkConfiguration: {s3.secret-key: hunter2}}",
        "{}|{flinkConfiguration: {s3.access.key: hunter2}}",
        "{}|{flinkConfiguration: {fs: {azure: {account: {key: hunter2}}}}}",
        "{}|{flinkConfiguration: {env.java.opts.all: '-Xmx1g -Ddb.password=hunter2'}}",
        "{}|{flinkConfiguration: {metrics.url: 'https://me:hunter2@host/'}}",
        "{job: {args: [--db-password, a]}}|{job: {args: [--db-password, hunter2]}}",
        "{job: {args: [x]}}|{job: {args: ['--token=hunter2']}}",
        "{podTemplate: {env: [{name: DB_PASSWORD, value: a}]}}|{podTemplate: {env: [{name: DB_PASSWORD, value: hunter2}]}}",
      })
  void whatMayBeASecretIsMasked(String from, String to) {
    assertThat(diff(from, to).describe()).contains("******").doesNotContain("hunter2");
  }
}
