package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.validation.Violation;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** What counts of a session cluster before the spec of a job is stored. */
class SessionJobCheckTest {

  private final FlinkDeployment cluster = SessionJobScene.sessionCluster();

  private static FlinkSessionJob job(String upgradeMode) {
    return Serialization.unmarshal(
        """
        apiVersion: flink.apache.org/v1beta1
        kind: FlinkSessionJob
        metadata: {name: orders, namespace: default, generation: 2}
        spec:
          deploymentName: session
          job: {jarURI: "https://host/job.jar", parallelism: 1, upgradeMode: %s}
        """
            .formatted(upgradeMode),
        FlinkSessionJob.class);
  }

  private static ReconciliationStatus deployed(String frozen) {
    return new ReconciliationStatus(1L, frozen, null, ReconciliationState.DEPLOYED);
  }

  @Test
  void one_that_needs_nothing_of_its_cluster_is_valid() {
    assertThat(SessionJobCheck.beforeStored(job("stateless"), cluster).violations()).isEmpty();
  }

  @Test
  void a_cluster_that_is_not_known_is_no_mistake() {
    assertThat(SessionJobCheck.beforeStored(job("savepoint"), null).violations()).isEmpty();
  }

  @Test
  void what_the_cluster_might_be_about_to_configure_is_a_warning() {
    FlinkDeploymentSpec bare = cluster.getSpec().withConfiguration(FlinkConfiguration.empty());
    cluster.setStatus(
        cluster
            .getStatus()
            .withReconciliationStatus(deployed(new FrozenSpec(bare, 3, true).toJson())));

    var check = SessionJobCheck.beforeStored(job("savepoint"), cluster);

    assertThat(check.violations()).isEmpty();
    assertThat(check.ignored())
        .anyMatch(
            it ->
                it.startsWith("as the session cluster is now: spec.flinkConfiguration.")
                    && it.contains("must be given"));
  }

  @Test
  void a_cluster_with_a_job_of_its_own_is_refused() {
    cluster.setStatus(FlinkDeploymentStatus.EMPTY);
    cluster.setSpec(
        cluster.getSpec().withJob(JobSpec.of("local:///job.jar", 1, UpgradeMode.STATELESS)));

    assertThat(SessionJobCheck.beforeStored(job("stateless"), cluster).violations())
        .singleElement()
        .asString()
        .startsWith("spec.deploymentName: must name a session cluster");
  }

  @Test
  void another_cluster_is_refused_once_it_was_deployed() {
    FlinkSessionJob moved = job("stateless");
    FrozenSessionJob before =
        new FrozenSessionJob(moved.getSpec().withDeploymentName("other"), 1, false);
    moved.setStatus(moved.getStatus().withReconciliationStatus(deployed(before.toJson())));

    assertThat(SessionJobCheck.beforeStored(moved, null).violations())
        .extracting(Violation::path)
        .containsExactly("spec.deploymentName");
  }
}
