package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandaloneModeTest {
  private static final FlinkDeploymentSpec STANDALONE =
      Specs.VALID.withMode(KubernetesDeploymentMode.STANDALONE);

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "local:///opt/flink/usrlib/job.jar, true",
    "file:///opt/flink/usrlib/job.jar, true",
    "https://example.com/job.jar, true",
    "s3://bucket/job.jar, false",
    "/opt/flink/usrlib/job.jar, false",
  })
  void theJarMustBeWhereJavaCanLoadItFrom(String jar, boolean fine) {
    FlinkDeploymentSpec spec = STANDALONE.withJob(Specs.JOB.withJarURI(jar));

    assertThat(Specs.paths(spec).contains("spec.job.jarURI")).isEqualTo(!fine);
    assertThat(Specs.paths(spec.withMode(KubernetesDeploymentMode.NATIVE))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.jobmanager.entrypoint.args",
        "kubernetes.taskmanager.entrypoint.args",
        "kubernetes.node-name-label",
        "resourcemanager.taskmanager-timeout",
        "resourcemanager.start-worker.max-failure-rate",
        "slotmanager.number-of-slots.max",
        "slotmanager.max-total-resource.memory",
        "external-resource.gpu.kubernetes.config-key",
      })
  void aKeyOfNativeModeAloneIsNamed(String key) {
    FlinkDeploymentSpec spec = Specs.configured(key, "1");

    assertThat(Specs.warnings(spec)).isEmpty();
    assertThat(Specs.warnings(spec.withMode(KubernetesDeploymentMode.STANDALONE)))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": has no effect in standalone mode");
  }

  @Test
  void jarsOfThePipelineAreNamedOnceHoweverTheyAreOverwritten() {
    FlinkDeploymentSpec spec = Specs.configured("pipeline.jars", "local:///a.jar");

    assertThat(Specs.warnings(spec.withMode(KubernetesDeploymentMode.STANDALONE)))
        .containsExactlyElementsOf(Specs.warnings(spec));
    assertThat(
            Specs.warnings(
                spec.withMode(KubernetesDeploymentMode.STANDALONE)
                    .withJob(Specs.JOB.withJarURI(null))))
        .singleElement()
        .asString()
        .contains("pipeline.classpaths");
  }

  @Test
  void theLabelThatSelectsIsThatOfTheMode() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withConfiguration(
            FlinkConfiguration.of(
                withAll(Map.of("kubernetes.taskmanager.labels", "type:flink-native-kubernetes"))));

    assertThat(Specs.warnings(spec)).isEmpty();
    assertThat(Specs.warnings(spec.withMode(KubernetesDeploymentMode.STANDALONE)))
        .filteredOn(it -> it.contains("kubernetes.taskmanager.labels"))
        .hasSize(1);
  }

  private static Map<String, String> withAll(Map<String, String> more) {
    return Specs.VALID.configuration().withAll(more).asMap();
  }
}
