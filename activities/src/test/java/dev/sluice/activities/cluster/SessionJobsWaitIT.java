package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.Reasons;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A session cluster is replaced once its FlinkSessionJobs have suspended their jobs. */
class SessionJobsWaitIT extends SessionClusterScenario {

  @Test
  void sessionJobsThatHaveALiveJobAreWaitedForByName() {
    session(Map.of());
    runningCluster();
    SessionJobSource two =
        cluster ->
            List.of(
                new SessionJobSource.SessionJob("ended", "f".repeat(32)),
                new SessionJobSource.SessionJob("totals", JOB, null, null, "held"));
    SessionJobsCheck check = check(two);

    flink.job(FlinkJobState.RUNNING, 8);
    assertThat(check.notSuspended(check.ask(), clock.instant()).message())
        .contains("jobs: totals (held).");

    flink.job(FlinkJobState.FINISHED, 8);
    assertThat(check.notSuspended(check.ask(), clock.instant())).isEqualTo(HeldDeletion.NOTHING);

    flink.up(false);
    assertThat(check.notSuspended(check.ask(), clock.instant()).reason())
        .isEqualTo(Reasons.CLUSTER_NOT_READY);
  }

  /** Its state is not recorded yet, and no other cluster knows it. */
  @Test
  void oneWhoseJobHasJustEndedIsWaitedForUntilItsOperationHasEndedIt() {
    session(Map.of());
    runningCluster();
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(waitedFor(JOB, OperationState.RUNNING, Step.CANCEL_JOB))
        .contains("totals (Running at CancelJob)");
    assertThat(waitedFor(JOB, OperationState.RUNNING, Step.END_JOB)).contains("totals");
    assertThat(waitedFor(JOB, OperationState.RUNNING, Step.STOP_WITH_SAVEPOINT)).contains("totals");
    assertThat(waitedFor(JOB, OperationState.BLOCKED, Step.CANCEL_JOB)).contains("totals");
    assertThat(waitedFor(JOB, OperationState.PARKED, Step.CANCEL_JOB)).contains("totals");
    assertThat(waitedFor(JOB, OperationState.SUCCEEDED, Step.CANCEL_JOB)).isEmpty();
    assertThat(waitedFor("f".repeat(32), OperationState.RUNNING, Step.CANCEL_JOB))
        .contains("totals");
    assertThat(waitedFor(null, OperationState.RUNNING, Step.CANCEL_JOB)).isEmpty();
  }

  private String waitedFor(@Nullable String jobId, OperationState state, Step step) {
    SessionJobsCheck check = check(at(jobId, state, step));
    return check.notSuspended(check.ask(), clock.instant()).message();
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
        any -> List.of(new SessionJobSource.SessionJob("totals", JOB, sentAt, null, null));
    ClusterDeletion deletion = deletion(jobs, false, sent);

    assertThat(deletion.look())
        .isInstanceOfSatisfying(
            ProbeResult.NotYet.class, it -> assertThat(it.progress()).contains("totals"));
    assertThat(isBeingDeleted(cluster)).isFalse();

    clock.advance(Duration.ofMinutes(10));
    var unused = deletion.look();
    assertThat(isBeingDeleted(cluster)).isTrue();
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
    assertThat(isBeingDeleted(cluster)).isFalse();

    var unused = deletion(jobs, false, stopping(OperationState.PARKED)).look();
    assertThat(isBeingDeleted(cluster)).isTrue();
  }

  private static SessionJobSource stopping(OperationState state) {
    return at(JOB, state, Step.STOP_WITH_SAVEPOINT);
  }

  private static SessionJobSource at(@Nullable String jobId, OperationState state, Step step) {
    OperationStatus operation =
        OperationStatus.EMPTY
            .withType(OperationType.UPGRADE)
            .withState(state)
            .withStep(step.title());
    return cluster ->
        List.of(new SessionJobSource.SessionJob("totals", jobId, null, operation, null));
  }
}
