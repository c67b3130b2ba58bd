package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What means nothing for a session cluster, or for nothing else, is named. */
class SessionKeysTest {

  private static final String BLOCK =
      "kubernetes.operator.session.deletion.block-on-unmanaged-jobs";

  private static FlinkDeploymentSpec session(Map<String, String> options) {
    return Specs.configured(options).withJob(null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.job.savepoint-on-deletion",
        "kubernetes.operator.job.restart.failed",
        "kubernetes.operator.cluster.health-check.enabled",
        "kubernetes.operator.job.upgrade.last-state-fallback.enabled",
        "kubernetes.operator.snapshot.resource.enabled",
        "pipeline.name",
      })
  void keysOfAJobHaveNoEffectOnASessionCluster(String key) {
    assertThat(Specs.warnings(session(Map.of(key, "true"))))
        .containsExactly(
            "spec.flinkConfiguration."
                + key
                + ": has no effect: a session cluster has no job of its own. Remove it");
  }

  @Test
  void periodicSnapshotsHaveNoEffectOnASessionCluster() {
    String key = "kubernetes.operator.periodic.savepoint.interval";

    assertThat(Specs.warnings(session(Map.of(key, "1h")))).singleElement().asString().contains(key);
  }

  @Test
  void whatADeletionWaitsForIsASettingOfSessionClusters() {
    assertThat(Specs.warnings(session(Map.of(BLOCK, "false")))).isEmpty();
    assertThat(Specs.warnings(Specs.configured(BLOCK, "false")))
        .containsExactly(
            "spec.flinkConfiguration."
                + BLOCK
                + ": has no effect: it is a setting of session clusters. Remove it");
  }

  @Test
  void whatADeletionWaitsForIsTrueOrFalse() {
    assertThat(Specs.paths(session(Map.of(BLOCK, "no"))))
        .containsExactly("spec.flinkConfiguration." + BLOCK);
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
