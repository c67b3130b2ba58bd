package dev.sluice.controller.sessionjob;

import static dev.sluice.api.common.FlinkJobState.CANCELED;
import static dev.sluice.api.common.FlinkJobState.FAILED;
import static dev.sluice.api.common.FlinkJobState.FINISHED;
import static dev.sluice.api.common.FlinkJobState.RESTARTING;
import static dev.sluice.api.common.FlinkJobState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the status of a session job says of its job, its operation and its session cluster. */
class SessionJobStatusTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"jobs", "clusters", "operations"})
  void ready_says_whether_the_spec_is_deployed_and_its_job_runs(
      String name, SessionJobScene given, String expected) {
    assertThat(given.condition("Ready")).startsWith(expected);
  }

  static Stream<Arguments> jobs() {
    return Stream.of(
        arguments(
            "runs",
            running().told(RUNNING),
            "True/UpToDate: Generation 6 is deployed and all tasks of its job run."),
        arguments("restarts", running().told(RESTARTING), "False/JobNotRunning: Job "),
        arguments(
            "finished",
            running().told(FINISHED),
            "True/JobFinished: Generation 6 is deployed and its job has finished."),
        arguments(
            "failed",
            running().told(FAILED),
            "False/JobNotRunning: Job "
                + SessionJobScene.JOB
                + " is FAILED: boom. It is not restarted automatically."),
        arguments(
            "finished, and Flink has forgotten it",
            running().saw(FINISHED).told(null),
            "True/JobFinished: "),
        arguments(
            "cancelled, and Flink has forgotten it",
            running().saw(CANCELED).told(null),
            "False/JobNotRunning: Job " + SessionJobScene.JOB + " is CANCELED."),
        arguments(
            "gone",
            running().saw(RUNNING).told(null),
            "False/JobNotRunning: The session cluster of FlinkDeployment session does not know job "
                + SessionJobScene.JOB
                + ". It is started again."),
        arguments("Flink is silent", running().silent(), "Unknown/ClusterNotReady: "),
        arguments(
            "suspended", running().suspended().frozen(6), "True/Suspended: The job is suspended."));
  }

  static Stream<Arguments> clusters() {
    return Stream.of(
        arguments(
            "no cluster",
            running().cluster(null),
            "False/ClusterNotReady: FlinkDeployment session does not exist. The job waits for it."
                + " [Create it, without spec.job, in the same namespace.]"),
        arguments(
            "being deleted, nobody asked",
            running().cluster(deleted()),
            "False/ClusterNotReady: FlinkDeployment session is being deleted"),
        arguments(
            "being deleted, and the job runs",
            running().cluster(deleted()).told(RUNNING),
            "True/UpToDate: Generation 6 is deployed and all tasks of its job run. FlinkDeployment"
                + " session is being deleted, which waits for its session jobs"),
        arguments(
            "does not run",
            running().cluster(notRunning()),
            "False/ClusterNotReady: The session cluster of FlinkDeployment session is not ready: No"
                + " pod. The job continues automatically once it is ready."));
  }

  static Stream<Arguments> operations() {
    return Stream.of(
        arguments(
            "new, and the cluster is ready",
            SessionJobScene.created(),
            "False/Deploying: Deploying generation 1; see status.operation and workflow "
                + SessionJobScene.LANE),
        arguments(
            "in the wrong mode before the first start",
            SessionJobScene.created().cluster(application()),
            "False/InvalidSpec: "),
        arguments("upgrading", SessionJobScene.upgrading(), "False/Upgrading: "),
        arguments("deleted", running().deleted(), "False/Deleting: Ending the job"));
  }

  @Test
  void an_operation_that_waits_for_its_cluster_says_so() {
    assertThat(SessionJobScene.upgrading().cluster(null).condition("Progressing"))
        .startsWith("True/Upgrading: ")
        .endsWith(
            "FlinkDeployment session does not exist. The job waits for it. [Create it, without"
                + " spec.job, in the same namespace.]");
  }

  @Test
  void a_deletion_does_not_wait_for_the_cluster() {
    assertThat(running().cluster(null).deleted().condition("Progressing"))
        .doesNotContain("waits for it");
  }

  @Test
  void a_cluster_that_is_missing_needs_action_and_one_that_is_upgraded_does_not() {
    assertThat(running().cluster(null).condition("Stalled"))
        .startsWith("True/ClusterNotReady: FlinkDeployment session does not exist.");
    assertThat(running().cluster(notRunning()).condition("Stalled"))
        .isEqualTo("False/NotStalled: No action required.");
  }

  @Test
  void a_cluster_that_is_deleted_needs_no_action_of_a_job_that_has_ended() {
    assertThat(running().saw(FINISHED).cluster(null).condition("Stalled"))
        .startsWith("False/NotStalled");
  }

  @Test
  void running_is_the_word_of_Flink() {
    assertThat(running().told(RESTARTING).condition("Running"))
        .isEqualTo("False/Restarting: Job " + SessionJobScene.JOB + " is RESTARTING.");
    assertThat(running().told(RUNNING).condition("Running")).startsWith("True/Running: ");
  }

  @Test
  void a_job_of_a_cluster_that_is_away_is_not_known_to_have_ended() {
    assertThat(running().saw(RUNNING).cluster(notRunning()).wanted().jobStatus().state().name())
        .isEqualTo("RECONCILING");
  }

  @Test
  void a_failed_job_is_the_error() {
    assertThat(running().told(FAILED).wanted().error())
        .contains("\"type\":\"JobFailed\"", "is FAILED: boom");
    assertThat(running().told(RUNNING).wanted().error()).isNull();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void one_word_for_the_whole_resource(
      String name, SessionJobScene given, LifecycleState expected) {
    assertThat(given.wanted().lifecycleState()).isEqualTo(expected);
  }

  static Stream<Arguments> one_word_for_the_whole_resource() {
    return Stream.of(
        arguments("runs", running().told(RUNNING), LifecycleState.STABLE),
        arguments("Flink is silent", running().silent(), LifecycleState.DEPLOYED),
        arguments("failed", running().told(FAILED), LifecycleState.FAILED),
        arguments("lost", running().saw(RUNNING).told(null), LifecycleState.FAILED),
        arguments(
            "new, Temporal is away",
            SessionJobScene.created().unavailable("Temporal does not answer"),
            LifecycleState.CREATED),
        arguments("being deployed", SessionJobScene.created(), LifecycleState.UPGRADING),
        arguments("upgrading", SessionJobScene.upgrading(), LifecycleState.UPGRADING),
        arguments("invalid", SessionJobScene.created().invalid(), LifecycleState.FAILED),
        arguments("suspended", running().suspended().frozen(6), LifecycleState.SUSPENDED),
        arguments(
            "rolled back",
            running()
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, 6L, 6)
                .told(RUNNING),
            LifecycleState.ROLLED_BACK),
        arguments("deleted", running().deleted(), LifecycleState.DELETING));
  }

  @Test
  void nothing_is_written_before_Flink_was_asked() {
    SessionJobScene given = running().observed(6).saw(RUNNING);

    assertThat(given.wanted().conditions()).extracting("message").containsExactly("earlier");
  }

  private static SessionJobScene running() {
    return SessionJobScene.running().submitted();
  }

  private static FlinkDeployment deleted() {
    FlinkDeployment cluster = SessionJobScene.sessionCluster();
    cluster.getMetadata().setDeletionTimestamp("2026-11-21T09:30:00Z");
    return cluster;
  }

  private static FlinkDeployment notRunning() {
    FlinkDeployment cluster = SessionJobScene.sessionCluster();
    cluster.setStatus(
        cluster.getStatus().withConditions(List.of(SessionJobScene.running("False", "No pod."))));
    return cluster;
  }

  private static FlinkDeployment application() {
    FlinkDeployment cluster = SessionJobScene.sessionCluster();
    cluster.setSpec(
        cluster.getSpec().withJob(JobSpec.of("local:///job.jar", 1, UpgradeMode.STATELESS)));
    cluster.setStatus(cluster.getStatus().withReconciliationStatus(null));
    return cluster;
  }
}
