package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.Reasons;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.operation.Step;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A session cluster is replaced once its FlinkSessionJobs have suspended their jobs. */
@ExtendWith(ApiServer.Extension.class)
class SessionJobsWaitIT extends SessionClusterScenario {

  @Test
  void sessionJobsThatHaveALiveJobAreWaitedForByName() {
    session(Map.of());
    runningCluster();
    SessionJobSource two =
        cluster ->
            List.of(
                new SessionJobSource.SessionJob("ended", "f".repeat(32)),
                new SessionJobSource.SessionJob("totals", FakeFlink.JOB, null, null, "held"));
    SessionJobsCheck check = check(two);

    flink.job(FlinkJobState.RUNNING, 8);
    assertThat(check.notSuspended(check.ask(check.endpoint()), clock.instant()).jobs().message())
        .contains("jobs: totals (held).");

    flink.job(FlinkJobState.FINISHED, 8);
    assertThat(check.notSuspended(check.ask(check.endpoint()), clock.instant()).jobs())
        .isEqualTo(HeldDeletion.NOTHING);

    flink.up(false);
    assertThat(check.notSuspended(check.ask(check.endpoint()), clock.instant()).jobs().reason())
        .isEqualTo(Reasons.CLUSTER_NOT_READY);
  }

  /** Only its JobManager knows the path of a savepoint that a lost worker has asked for. */
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"STOP_WITH_SAVEPOINT", "CANCEL_JOB", "END_JOB"})
  void aJobThatWasStoppedIsWaitedForUntilItsStateIsRecorded(Step step) {
    session(Map.of());
    runningCluster();
    flink.job(FlinkJobState.FINISHED, 8);
    OperationStatus operation =
        OperationStatus.EMPTY
            .withType(OperationType.UPGRADE)
            .withState(OperationState.RUNNING)
            .withStep(step.title());
    SessionJobsCheck check =
        check(
            cluster ->
                List.of(
                    new SessionJobSource.SessionJob(
                        "totals", FakeFlink.JOB, null, operation, null)));

    HeldDeletion held = check.notSuspended(check.ask(check.endpoint()), clock.instant()).jobs();

    assertThat(held.reason()).isEqualTo(Reasons.OTHER_JOBS);
  }

  /** Its state is not recorded yet, and no other cluster knows it. */
  @Test
  void oneWhoseJobHasJustEndedIsWaitedForUntilItsOperationHasEndedIt() {
    session(Map.of());
    runningCluster();
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(waitedFor(FakeFlink.JOB, OperationState.RUNNING))
        .contains("totals (Upgrade Running at CancelJob)");
    assertThat(waitedFor(FakeFlink.JOB, OperationState.BLOCKED)).contains("totals");
    assertThat(waitedFor(FakeFlink.JOB, OperationState.PARKED)).contains("totals");
    assertThat(waitedFor(FakeFlink.JOB, OperationState.SUCCEEDED)).isEmpty();
    assertThat(waitedFor("f".repeat(32), OperationState.RUNNING)).contains("totals");
    assertThat(waitedFor(null, OperationState.RUNNING)).isEmpty();
  }

  private String waitedFor(@Nullable String jobId, OperationState state) {
    OperationStatus operation =
        OperationStatus.EMPTY
            .withType(OperationType.UPGRADE)
            .withState(state)
            .withStep("CancelJob");
    SessionJobsCheck check =
        check(
            cluster ->
                List.of(new SessionJobSource.SessionJob("totals", jobId, null, operation, null)));
    return check.notSuspended(check.ask(check.endpoint()), clock.instant()).jobs().message();
  }

  /** Its main method may be at work. */
  @ParameterizedTest
  @EnumSource(
      value = JobsOnCluster.class,
      names = {"NONE", "COME_BACK"})
  void aClusterThatMayStillTakeAJobThatWasSentIsNotReplacedYet(JobsOnCluster jobs) {
    session(AVAILABLE);
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.FINISHED, 8);
    Instant sentAt = clock.instant();
    SessionJobSource sent =
        any ->
            List.of(new SessionJobSource.SessionJob("totals", FakeFlink.JOB, sentAt, null, null));
    ClusterDeletion deletion = deletion(jobs, false, sent);

    assertThat(deletion.look())
        .isInstanceOfSatisfying(
            ProbeResult.NotYet.class, it -> assertThat(it.progress()).contains("totals"));
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNull();

    clock.advance(Duration.ofMinutes(10));
    var unused = deletion.look();
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  /** The operation of a FlinkSessionJob reads the path of its savepoint from this JobManager. */
  @ParameterizedTest
  @EnumSource(
      value = JobsOnCluster.class,
      names = {"NONE", "COME_BACK"})
  void aClusterOnWhichAJobIsBeingStoppedIsNotReplacedYet(JobsOnCluster jobs) {
    session(AVAILABLE);
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.FINISHED, 8);

    assertThat(deletion(jobs, false, stopping(OperationState.RUNNING)).look())
        .isInstanceOfSatisfying(
            ProbeResult.NotYet.class, it -> assertThat(it.progress()).contains("totals"));
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNull();

    var unused = deletion(jobs, false, stopping(OperationState.PARKED)).look();
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  private static SessionJobSource stopping(OperationState state) {
    OperationStatus operation =
        OperationStatus.EMPTY
            .withType(OperationType.UPGRADE)
            .withState(state)
            .withStep(Step.STOP_WITH_SAVEPOINT.title());
    return cluster ->
        List.of(new SessionJobSource.SessionJob("totals", FakeFlink.JOB, null, operation, null));
  }
}
