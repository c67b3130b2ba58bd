package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.snapshot.SnapshotActivities.FoundJob;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The job of a FlinkSessionJob, as a snapshot looks for it among the jobs of its cluster. */
class SessionJobSnapshotTest {

  private static final String OF = "FlinkSessionJob default/totals";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();
  private @Nullable FlinkDeployment cluster = SessionJobs.cluster(Map.of());
  private @Nullable String jobId = FakeFlink.JOB;
  private @Nullable JobStatus seen;
  private @Nullable OperationStatus operation;

  private SnapshotJob owner() {
    FlinkSessionJob job =
        SessionJobs.submitted(
            SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.DEPLOYED),
            FakeFlink.JOB,
            null,
            null);
    job.setStatus(job.getStatus().withJobStatus(seen).withOperation(operation));
    return new SnapshotJob(
        FlinkSessionJob.KIND,
        SessionJobs.stored(job, cluster),
        new RunningCluster(
            Jobs.CLUSTER, Jobs.ENDPOINT, FlinkConfiguration.empty(), jobId, 1L, true));
  }

  private void clusterIs(ReconciliationState state) {
    FlinkDeployment now = SessionJobs.cluster(Map.of());
    now.setStatus(
        now.getStatus()
            .withReconciliationStatus(now.getStatus().reconciliationStatus().withState(state)));
    cluster = now;
  }

  private void operationOfTheCluster(OperationState state, Step step, @Nullable String reason) {
    FlinkDeployment now = SessionJobs.cluster(Map.of());
    now.setStatus(
        now.getStatus()
            .withOperation(
                OperationStatus.EMPTY
                    .withType(OperationType.UPGRADE)
                    .withState(state)
                    .withStep(step.title())
                    .withReason(reason)));
    cluster = now;
  }

  private ProbeResult<FoundJob> look() {
    return await().look();
  }

  private AwaitJob await() {
    return new AwaitJob(OF, null, () -> Optional.of(owner()), flink, clock);
  }

  @Test
  void itIsNamedAsItselfAndNotAsItsCluster() {
    assertThat(owner().display()).isEqualTo(OF);
  }

  @Test
  void theJobThatFlinkWasAskedToRunIsFound() {
    assertThat(look())
        .isEqualTo(
            ProbeResult.done(new FoundJob.Up(FakeFlink.JOB, Duration.ofMinutes(7).toMillis())));
  }

  /** Flink forgets a job an hour after its end, and its cluster lives on. */
  @Test
  void aJobThatWasSeenToEndAndIsForgottenIsNoneToWaitFor() {
    seen = JobStatus.EMPTY.withJobId(FakeFlink.JOB).withState(FlinkJobState.FINISHED);
    flink.noJob();
    AwaitJob wait = await();

    assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(AwaitJob.NONE_FOR.plusSeconds(1));

    assertThat(wait.look())
        .isEqualTo(ProbeResult.done(new FoundJob.None("the job of " + OF + " is FINISHED")));
  }

  /** It would be a savepoint of somebody else's job. */
  @Test
  void anotherJobOfTheClusterIsNeverTakenForOneThatFlinkWasNotAskedToRun() {
    jobId = null;

    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aJobThatIsUpIsTakenAlsoWhileItsClusterIsHeldInAnUpgrade() {
    clusterIs(ReconciliationState.UPGRADING);

    assertThat(look()).isInstanceOf(ProbeResult.Done.class);
    assertThat(owner().stopped(FakeFlink.JOB, flink)).isEmpty();
  }

  /** It waits for those in progress, and would wait for ever if one followed the other. */
  @Test
  void noneIsBegunWhileAnUpgradeOfTheClusterWaitsForOthers() {
    operationOfTheCluster(OperationState.BLOCKED, Step.OBSERVE, Reasons.BLOCKED);
    assertThat(look().toString()).contains("about to begin at FlinkDeployment orders");

    operationOfTheCluster(OperationState.RUNNING, Step.OBSERVE, null);
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aJobThatIsUpIsTakenWhileItsClusterIsHeldForAnotherReason() {
    operationOfTheCluster(OperationState.PARKED, Step.OBSERVE, Reasons.OTHER_JOBS);
    assertThat(look()).isInstanceOf(ProbeResult.Done.class);

    operationOfTheCluster(OperationState.BLOCKED, Step.OBSERVE, Reasons.STATE_NOT_FOUND);
    assertThat(look()).isInstanceOf(ProbeResult.Done.class);

    operationOfTheCluster(OperationState.SUCCEEDED, Step.OBSERVE, null);
    assertThat(look()).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void anUpgradeOfTheClusterIsNoFailureOfTheJob() {
    clusterIs(ReconciliationState.UPGRADING);
    flink.job(FlinkJobState.RESTARTING, 0);

    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(owner().stopped(FakeFlink.JOB, flink))
        .contains(new Outcome.Failed("FlinkDeployment orders is being upgraded", false));
  }

  /** That it was recovered days ago has nothing to do with it. */
  @Test
  void anUpgradeOfTheClusterAfterARecoveryThatHasEndedIsNoFailureOfTheSnapshot() {
    operation =
        OperationStatus.EMPTY.withType(OperationType.RECOVER).withState(OperationState.SUCCEEDED);
    operationOfTheCluster(OperationState.BLOCKED, Step.OBSERVE, Reasons.BLOCKED);

    assertThat(owner().stopped(FakeFlink.JOB, flink))
        .hasValueSatisfying(it -> assertThat(it.counts()).isFalse());
  }

  /** Its job comes back with it: nothing is given up, and no attempt has failed. */
  @Test
  void aClusterThatDoesNotExistIsWaitedFor() {
    cluster = null;

    assertThat(look().toString()).contains("NotYet", "FlinkDeployment orders does not exist");
  }
}
