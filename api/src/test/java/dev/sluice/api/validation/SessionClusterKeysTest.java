package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What means nothing for a session cluster, or for nothing else, is named. */
class SessionClusterKeysTest {

  private static FlinkDeploymentSpec session(Map<String, String> options) {
    return Specs.configured(options).withJob(null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.cluster.health-check.enabled",
        "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled",
        "kubernetes.operator.job.upgrade.inplace-scaling.enabled",
        "pipeline.jars",
      })
  void keysOfAJobHaveNoEffectOnASessionCluster(String key) {
    assertThat(Specs.warnings(session(Map.of(key, "true"))))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": has no effect: a session cluster has no job of its own, and its FlinkSessionJobs"
                + " do not take this from it. Remove it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"execution.savepoint.path", "execution.state-recovery.path"})
  void aSessionClusterDoesNotSayWhatItsJobsStartFrom(String key) {
    assertThat(Specs.warnings(session(Map.of(key, "s3://b/old"))))
        .singleElement()
        .asString()
        .contains(key, "starts from what its FlinkSessionJob says");
  }

  /** Who removed one on such an advice would lose, say, the savepoint at the next deletion. */
  @ParameterizedTest
  @CsvSource({
    "kubernetes.operator.job.savepoint-on-deletion, true",
    "kubernetes.operator.job.drain-on-savepoint-deletion, true",
    "kubernetes.operator.job.restart.failed, true",
    "kubernetes.operator.job.upgrade.last-state-fallback.enabled, false",
    "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age, 5 min",
    "kubernetes.operator.job.upgrade.ignore-pending-savepoint, true",
    "kubernetes.operator.savepoint.format.type, NATIVE",
    "kubernetes.operator.periodic.savepoint.interval, 1h",
    "kubernetes.operator.savepoint.history.max.count, 3",
    "kubernetes.operator.snapshot.resource.enabled, false",
    "pipeline.name, orders",
  })
  void whatItsFlinkSessionJobsInheritHasAnEffect(String key, String value) {
    assertThat(Specs.warnings(session(Map.of(key, value)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"block-on-unmanaged-jobs", "block-on-session-jobs"})
  void whatADeletionWaitsForIsASettingOfSessionClusters(String name) {
    String block = "kubernetes.operator.session.deletion." + name;

    assertThat(Specs.warnings(session(Map.of(block, "false")))).isEmpty();
    assertThat(Specs.warnings(Specs.configured(block, "false")))
        .containsExactly(
            "spec.flinkConfiguration."
                + block
                + ": has no effect: it is a setting of session clusters. Remove it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"block-on-unmanaged-jobs", "block-on-session-jobs"})
  void whatADeletionWaitsForIsTrueOrFalse(String name) {
    String block = "kubernetes.operator.session.deletion." + name;

    assertThat(Specs.paths(session(Map.of(block, "no"))))
        .containsExactly("spec.flinkConfiguration." + block);
  }

  @Test
  void theDefaultParallelismOfJobsIsASettingOfASessionCluster() {
    assertThat(Specs.warnings(session(Map.of("parallelism.default", "2")))).isEmpty();
  }

  @Test
  void taskManagersAreStartedAsJobsNeedThem() {
    FlinkDeploymentSpec spec =
        session(Map.of()).withTaskManager(new TaskManagerSpec(null, null, 2, null));

    assertThat(Specs.warnings(spec))
        .containsExactly(
            "spec.taskManager.replicas: has no effect: the JobManager of a native session cluster"
                + " starts TaskManagers as its jobs need them. Remove it");
  }
}
