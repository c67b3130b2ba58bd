package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.common.FlinkConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InPlaceScalingTest {

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final FlinkConfiguration ADAPTIVE =
      FlinkConfiguration.of(Map.of(InPlaceScaling.SCHEDULER, "adaptive"));

  private static FrozenSpec spec(String yaml, long generation) {
    return spec(yaml, generation, ADAPTIVE);
  }

  private static FrozenSpec spec(String yaml, long generation, FlinkConfiguration defaults) {
    String whole =
        yaml.contains("flinkVersion") ? yaml : "{flinkVersion: v2_2, " + yaml.substring(1);
    try {
      return new FrozenSpec(
          YAML.readValue(whole, FlinkDeploymentSpec.class), generation, false, defaults);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(whole, e);
    }
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{job: {parallelism: 1}}|{job: {parallelism: 2}}",
        "{job: {parallelism: 3}}|{job: {parallelism: 2}}",
        "{job: {parallelism: 1}, mode: standalone}|{job: {parallelism: 2}, mode: standalone}",
        "{job: {}, mode: standalone}|{job: {}, mode: standalone, taskManager: {replicas: 2}}",
        "{job: {}, taskManager: {replicas: 1}}|{job: {}, taskManager: {replicas: 2}}",
        "{job: {}}|{job: {}, flinkConfiguration: {pipeline.jobvertex-parallelism-overrides: 'a:2'}}",
        "{job: {}}|{job: {}, flinkConfiguration: {pipeline.jobvertex-parallelism-overrides: {a: 2}}}",
        "{job: {parallelism: 1}}|{job: {parallelism: 2, upgradeMode: savepoint}, ingress: {template: a.b}}",
        "{job: {parallelism: 1}}|{job: {parallelism: 2}, flinkConfiguration: {kubernetes.operator.x: 1}}",
        "{flinkVersion: v1_18, job: {parallelism: 1}}|{flinkVersion: v1_18, job: {parallelism: 2}}",
      })
  void whereOnlyTheParallelismDiffersTheJobIsScaledInPlace(String runs, String newest) {
    assertThat(InPlaceScaling.problem(spec(runs, 1), spec(newest, 2))).isEmpty();
  }

  @ParameterizedTest(name = "{0} -> {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{job: {parallelism: 1}}|{job: {parallelism: 2}, image: b}|spec.image has changed, too",
        "{job: {parallelism: 1}}|{job: {parallelism: 2}, restartNonce: 2}|spec.restartNonce has changed, too",
        "{job: {parallelism: 1}}|{job: {parallelism: 1}}|the parallelism is the same",
        "{job: {parallelism: 1}, flinkConfiguration: {kubernetes.rest-service.annotations: 'a:1,b:2'}}|{job: {parallelism: 2}, flinkConfiguration: {kubernetes.rest-service.annotations: 'a:1'}}|spec.flinkConfiguration.kubernetes.rest-service.annotations has changed, too",
        "{job: {parallelism: 1}}|{job: {parallelism: 2, state: suspended}}|no job is to run",
        "{job: {parallelism: 1}}|{job: {parallelism: 2}, flinkConfiguration: {taskmanager.numberOfTaskSlots: 2}}|spec.flinkConfiguration.taskmanager.numberOfTaskSlots has changed, too",
        "{job: {parallelism: 1}}|{job: {parallelism: 2}, flinkConfiguration: {kubernetes.operator.job.upgrade.inplace-scaling.enabled: 'false'}}|kubernetes.operator.job.upgrade.inplace-scaling.enabled is false",
        "{flinkVersion: v1_17, job: {parallelism: 1}}|{flinkVersion: v1_17, job: {parallelism: 2}}|Flink before 1.18 cannot change the parallelism of a job that runs",
        "{taskManager: {replicas: 1}}|{taskManager: {replicas: 2}}|no job is to run",
      })
  void whereMoreIsAskedForItIsNot(String runs, String newest, String problem) {
    assertThat(InPlaceScaling.problem(spec(runs, 1), spec(newest, 2))).contains(problem);
  }

  @Test
  void withoutAnAdaptiveSchedulerItIsNot() {
    FlinkConfiguration none = FlinkConfiguration.empty();

    assertThat(
            InPlaceScaling.problem(
                spec("{job: {parallelism: 1}}", 1, none), spec("{job: {parallelism: 2}}", 2, none)))
        .contains("jobmanager.scheduler is not 'adaptive'");
  }

  @Test
  void inReactiveModeItIsNot() {
    FlinkConfiguration reactive = ADAPTIVE.with(ReactiveMode.KEY, "reactive");

    assertThat(
            InPlaceScaling.problem(
                spec("{job: {parallelism: 1}}", 1, reactive),
                spec("{job: {parallelism: 2}}", 2, reactive)))
        .contains("in reactive mode the number of TaskManagers decides");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{job: {parallelism: 2}, flinkConfiguration: {pipeline.max-parallelism: 9}}|true",
        "{job: {parallelism: 1}, flinkConfiguration: {pipeline.max-parallelism: 9}}|true",
        "{job: {parallelism: 2}}|true",
        "{job: {parallelism: 2}, image: b, flinkConfiguration: {pipeline.max-parallelism: 9}}|false",
        "{job: {parallelism: 1}}|false",
      })
  void anotherMaximumIsAskedOfTheVerticesBeforeAnUpgrade(String newest, boolean told) {
    FrozenSpec runs = spec("{job: {parallelism: 1}}", 1);

    assertThat(InPlaceScaling.isToldByVertices(runs, spec(newest, 2))).isEqualTo(told);
  }

  /** They reach the cluster with an upgrade only. */
  @Test
  void otherDefaultsOfTheOperatorAreAChangeToo() {
    assertThat(
            InPlaceScaling.problem(
                spec("{job: {parallelism: 1}}", 1),
                spec("{job: {parallelism: 2}}", 2, ADAPTIVE.with("x", "1"))))
        .contains("spec.flinkConfiguration.x has changed, too");
  }

  @Test
  void theOverridesAreAMapInOneTextOrInManyKeys() {
    assertThat(
            InPlaceScaling.overrides(
                FlinkConfiguration.of(Map.of(InPlaceScaling.OVERRIDES, "a:1,b:2"))))
        .isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(
            InPlaceScaling.overrides(
                FlinkConfiguration.of(Map.of(InPlaceScaling.OVERRIDES + ".a", "3"))))
        .isEqualTo(Map.of("a", 3));
  }
}
