package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotYetSupportedTest {
  @Test
  void tlsForTheRestApiIsNotSupported() {
    assertThat(Specs.violations(Specs.configured("security.ssl.rest.enabled", "true")))
        .containsExactly(
            new Violation(
                "spec.flinkConfiguration.security.ssl.rest.enabled",
                "TLS for Flink's REST API is not supported yet. Set security.ssl.rest.enabled to"
                    + " false; TLS between Flink's processes (security.ssl.internal.enabled) works",
                Reasons.NOT_SUPPORTED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"execution.checkpointing.create-subdir", "state.checkpoints.create-subdir"})
  void checkpointsWithoutAFolderOfTheirJobAreNotSupported(String key) {
    assertThat(Specs.paths(Specs.configured(key, "false")))
        .containsExactly("spec.flinkConfiguration." + key);
    assertThat(Specs.paths(Specs.configured(key, "true"))).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "V1_20, security.ssl.rest.enabled, TRUE",
    "V1_20, security.ssl.enabled, true",
    "V2_0, security.ssl.rest.enabled, true",
  })
  void neitherUnderItsOldNameNorInAnotherCase(FlinkVersion version, String key, String value) {
    FlinkDeploymentSpec spec = Specs.configured(key, value).withFlinkVersion(version);

    assertThat(Specs.paths(spec)).containsExactly("spec.flinkConfiguration." + key);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "V1_20, security.ssl.rest.enabled, false",
    "V1_20, security.ssl.internal.enabled, true",
    "V2_0, security.ssl.enabled, true",
  })
  void whatLeavesTheRestApiPlainIsFine(FlinkVersion version, String key, String value) {
    FlinkDeploymentSpec spec = Specs.configured(key, value).withFlinkVersion(version);

    assertThat(Specs.messages(spec)).isEmpty();
  }

  @Test
  void theSwitchOfTheRestApiWinsOverTheOneForAll() {
    FlinkDeploymentSpec spec =
        Specs.configured(
            Map.of("security.ssl.enabled", "true", "security.ssl.rest.enabled", "false"));

    assertThat(Specs.messages(spec)).isEmpty();
  }

  @Test
  void aSessionClusterIsSupportedInNativeModeOnly() {
    FlinkDeploymentSpec session = Specs.VALID.withJob(null);

    assertThat(Specs.violations(session)).isEmpty();
    assertThat(Specs.violations(session.withMode(KubernetesDeploymentMode.STANDALONE)))
        .contains(
            new Violation(
                "spec.job",
                "must be given: standalone session clusters are not supported yet",
                Reasons.NOT_SUPPORTED));
  }

  @Test
  void standaloneModeIsSupported() {
    assertThat(Specs.violations(Specs.VALID.withMode(KubernetesDeploymentMode.STANDALONE)))
        .isEmpty();
  }

  @Test
  void suspendingIsSupported() {
    FlinkDeploymentSpec spec = Specs.VALID.withJob(Specs.JOB.withState(DesiredJobState.SUSPENDED));

    assertThat(Specs.violations(spec)).isEmpty();
  }
}
