package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forbidden keys, keys that need another, keys and values that no file can hold. */
class ConfigurationRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.namespace",
        "kubernetes.cluster-id",
        "high-availability.cluster-id",
      })
  void whatFollowsFromTheResourceMustNotBeSet(String key) {
    assertThat(Specs.messages(Specs.configured(key, "x")))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": must not be set: it is derived from the name and namespace of the resource."
                + " Remove it");
  }

  /** Apache's operator refuses it: it only goes back to what high availability remembers. */
  @Test
  void aRollbackNeedsNoHighAvailability() {
    assertThat(
            Specs.messages(
                Specs.configured("kubernetes.operator.deployment.rollback.enabled", "true")))
        .isEmpty();
  }

  @Test
  void aHealthCheckNeedsRecovery() {
    FlinkDeploymentSpec spec =
        Specs.configured(
            Map.of(
                "kubernetes.operator.cluster.health-check.enabled", "true",
                "kubernetes.operator.jm-deployment-recovery.enabled", "false"));

    assertThat(Specs.messages(spec))
        .containsExactly(
            "spec.flinkConfiguration.kubernetes.operator.cluster.health-check.enabled: needs"
                + " kubernetes.operator.jm-deployment-recovery.enabled, which is false. Remove that"
                + " key or set it to true");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{rest: {port: 1}, rest.port: 2} | spec.flinkConfiguration.rest.port",
        "{rest: {port: 1}, rest.port: 1} | ''",
        "{a.b: {c: [1, 2]}, a: {b.c: 1}} | spec.flinkConfiguration.a.b.c",
      })
  void aKeyThatIsNestedAndFlatHasOneValue(String configuration, String refused) {
    FlinkDeploymentSpec spec = Specs.VALID.withFlinkConfiguration(Specs.yaml(configuration));

    assertThat(String.join(", ", Specs.paths(spec))).isEqualTo(refused);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a\nb", "a\tb", "a\u0000b", "a\u00a0b"})
  void aKeyMustNotHaveBlanksOrLineBreaks(String key) {
    assertThat(Specs.violations(Specs.configured(key, "x")))
        .singleElement()
        .satisfies(
            violation ->
                assertThat(violation.message())
                    .startsWith("must be a key without blanks and line breaks"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metrics.reporter.prom.port",
        "kubernetes.jobmanager.annotations.prometheus.io/scrape",
        "$internal.application.main",
        "env.java.opts.all",
        "schlüssel",
      })
  void otherKeysAreFine(String key) {
    assertThat(Specs.messages(Specs.configured(key, "1"))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"V1_15", "V1_17", "V1_18"})
  void aPlainFileCannotHoldCommentsAndLineBreaks(FlinkVersion version) {
    FlinkDeploymentSpec spec =
        Specs.configured("pipeline.name", "a#b")
            .withFlinkVersion(version)
            .withJob(
                Specs.JOB
                    .withJarURI("local:///a.jar#b")
                    .withEntryClass("a\nb")
                    .withInitialSavepointPath("s3://b/#1")
                    .withArgs(List.of("fine", "not\rfine")));

    assertThat(Specs.paths(spec))
        .containsExactly(
            "spec.flinkConfiguration.pipeline.name",
            "spec.job.jarURI",
            "spec.job.entryClass",
            "spec.job.initialSavepointPath",
            "spec.job.args[1]");
  }

  @Test
  void aYamlFileCan() {
    FlinkDeploymentSpec spec =
        Specs.configured("pipeline.name", "a#b\nc")
            .withFlinkVersion(FlinkVersion.V1_19)
            .withJob(Specs.JOB.withArgs(List.of("not\rfine", "#")));

    assertThat(Specs.messages(spec)).isEmpty();
  }

  @Test
  void whatOnlyAnOperatorReadsIsInNoFile() {
    FlinkDeploymentSpec spec =
        Specs.configured("kubernetes.operator.note", "#1").withFlinkVersion(FlinkVersion.V1_18);

    assertThat(Specs.messages(spec)).isEmpty();
  }
}
