package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedKeyRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.cluster.health-check.enabled",
        "kubernetes.operator.cluster.health-check.checkpoint-progress.enabled",
        "kubernetes.operator.jm-deployment-recovery.enabled",
        "kubernetes.operator.job.restart.failed",
        "kubernetes.operator.job.savepoint-on-deletion",
        "security.ssl.rest.authentication-enabled",
        "kubernetes.hostnetwork.enabled",
        "kubernetes.operator.pod-template.merge-arrays-by-name",
        "kubernetes.operator.jm-deployment.startup.probe.enabled",
      })
  void aSwitchMustBeTrueOrFalse(String key) {
    assertThat(Specs.messages(Specs.configured(key, "yes")))
        .containsExactly(
            "spec.flinkConfiguration." + key + ": must be true or false, but is 'yes'");
    assertThat(Specs.messages(Specs.configured(key, "TRUE"))).isEmpty();
  }

  /** They are changed in place, without an operation that would render them. */
  @ParameterizedTest
  @ValueSource(
      strings = {"kubernetes.rest-service.labels", "kubernetes.internal-service.annotations"})
  void theMetadataOfAServiceMustBeReadable(String key) {
    assertThat(Specs.messages(Specs.configured(key, "nonsense")))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": must be key:value pairs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "execution.checkpointing.interval",
        "execution.checkpointing.timeout",
        "kubernetes.operator.deployment.readiness.timeout",
        "kubernetes.operator.jm-deployment.shutdown-ttl",
      })
  void aDurationMustBeReadable(String key) {
    assertThat(Specs.messages(Specs.configured(key, "soon")))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": must be a duration like '10 min', '500 ms' or 'PT10M', but is 'soon'");
    assertThat(Specs.messages(Specs.configured(key, "10 min"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-1 s, 1", "36501 d, 1", "0 s, 0", "36500 d, 0"})
  void aShutdownTtlMayBeNothingOrVeryLong(String value, int messages) {
    assertThat(
            Specs.messages(
                Specs.configured("kubernetes.operator.jm-deployment.shutdown-ttl", value)))
        .hasSize(messages);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "execution.checkpointing.timeout, 0 s",
    "execution.checkpointing.timeout, PT-5M",
    "execution.checkpointing.timeout, 366 d",
    "kubernetes.operator.deployment.readiness.timeout, 9223372036854775807 s",
    "kubernetes.operator.deployment.readiness.timeout, 9223372036854775807",
    "kubernetes.operator.deployment.readiness.timeout, P999999999D",
  })
  void aTimeoutMustBeOneThatCanBeWaitedFor(String key, String value) {
    assertThat(Specs.messages(Specs.configured(key, value)))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": must be more than 0 and at most 365 days, but is '"
                + value
                + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CANONICAL", "NATIVE", "canonical", " native "})
  void theSavepointFormatIsOneOfFlinks(String format) {
    assertThat(
            Specs.messages(Specs.configured("kubernetes.operator.savepoint.format.type", format)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "avro", "x"})
  void anotherSavepointFormatIsRefused(String format) {
    assertThat(
            Specs.messages(Specs.configured("kubernetes.operator.savepoint.format.type", format)))
        .singleElement()
        .asString()
        .contains("must be CANONICAL or NATIVE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FULL", "configured", " full "})
  void theCheckpointTypeIsOneOfFlinks(String type) {
    assertThat(Specs.messages(Specs.configured("kubernetes.operator.checkpoint.type", type)))
        .isEmpty();
  }

  @Test
  void anotherCheckpointTypeIsRefused() {
    assertThat(Specs.messages(Specs.configured("kubernetes.operator.checkpoint.type", "half")))
        .singleElement()
        .asString()
        .contains("must be FULL, CONFIGURED or INCREMENTAL, but is 'half'");
  }

  @ParameterizedTest(name = "{0}, nonce {1}, {2}")
  @CsvSource({
    "V1_18, 1, 1 h, ''",
    "V1_19, 1, , must not be INCREMENTAL: Flink 1.19",
    "V2_0, , 1 h, must not be INCREMENTAL: Flink 2.0",
    "V1_20, , , ''"
  })
  void anIncrementalCheckpointIsRefusedWhereFlinkCannotBeAskedForOne(
      FlinkVersion version, Long nonce, String interval, String expected) {
    FlinkDeploymentSpec spec =
        Specs.configured("kubernetes.operator.checkpoint.type", "INCREMENTAL")
            .withFlinkVersion(version);
    spec = spec.withJob(spec.job().withCheckpointTriggerNonce(nonce));
    if (interval != null) {
      spec =
          spec.withConfiguration(
              spec.configuration()
                  .withAll(Map.of("kubernetes.operator.periodic.checkpoint.interval", interval)));
    }

    assertThat(String.join("", Specs.messages(spec))).contains(expected);
    assertThat(Specs.messages(spec)).hasSize(expected.isEmpty() ? 0 : 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"6 h", "0", "0 0 3 * * ?", "0 0/30 8-18 ? * MON-FRI 2027"})
  void aPeriodIsATimeOrACronExpressionWithSeconds(String value) {
    assertThat(
            Specs.messages(
                Specs.configured("kubernetes.operator.periodic.checkpoint.interval", value)))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "often; must be a time, like 6 h, or a cron expression of 6 or 7 fields, the first of which"
            + " are seconds, like 0 0 3 * * ?, but is 'often'",
        "0 0 0 L * ?; must do without L, W and # (in day of month), which are not supported, but is"
            + " '0 0 0 L * ?'",
      })
  void aPeriodThatCannotBeKeptIsRefused(String value, String message) {
    String key = "kubernetes.operator.periodic.checkpoint.interval";
    assertThat(Specs.messages(Specs.configured(key, value)))
        .containsExactly("spec.flinkConfiguration." + key + ": " + message);
  }
}
