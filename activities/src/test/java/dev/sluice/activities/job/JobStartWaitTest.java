package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JobStartWaitTest {

  private static final String PATH = "file:///savepoints/savepoint-ab12cd-77/";
  private static final StateRef EMPTY = new StateRef.Empty("first deployment");
  private static final StateRef SAVEPOINT = new StateRef.Savepoint(PATH);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeClusters clusters = FakeClusters.running();

  @Test
  void itIsUpWhenEveryTaskIsAndItSaysWhatItWasRestoredFrom() {
    flink
        .running()
        .checkpoints(Stats.none().restored("file:/savepoints/savepoint-ab12cd-77").build());

    assertThat(look(wait(SAVEPOINT)))
        .isEqualTo(
            ProbeResult.done(
                new RunningJob(
                    JOB, "8 of 8 tasks running", "file:/savepoints/savepoint-ab12cd-77")));
  }

  @Test
  void aTaskThatHasFinishedIsUpLikeOneThatRuns() {
    flink.job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(3, 1, 0));

    assertThat(look(wait(EMPTY)))
        .isEqualTo(
            ProbeResult.done(new RunningJob(JOB, "3 running + 1 finished of 4 tasks", null)));
  }

  @Test
  void aJobThatHasFinishedIsUp() {
    flink.job(JOB, FlinkJobState.FINISHED, FakeFlink.tasks(0, 4, 0));

    assertThat(look(wait(EMPTY))).isInstanceOf(ProbeResult.Done.class);
  }

  @ParameterizedTest
  @CsvSource({"2, 0, 6", "0, 3, 5", "1, 3, 4"})
  void aBatchJobIsUpWhileLaterStagesWaitForTheirInputs(int running, int finished, int waiting) {
    flink
        .type(JobType.BATCH)
        .job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(running, finished, waiting));
    clusters.both(Pods.running(Pods.taskManager()));

    assertThat(look(wait(EMPTY))).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void aBatchJobOfWhichNoTaskHasRunYetIsNotUp() {
    flink.type(JobType.BATCH).job(FlinkJobState.RUNNING, 0);

    assertThat(look(wait(EMPTY))).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aBatchJobOfWhichATaskFailsIsNotUp() {
    flink
        .type(JobType.BATCH)
        .job(
            JOB,
            FlinkJobState.RUNNING,
            new JobOverview.Tasks(
                8, Map.of(TaskState.CREATED, 4, TaskState.RUNNING, 3, TaskState.FAILED, 1)));

    assertThat(look(wait(EMPTY))).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aStreamingJobIsNotUpWhileSomeTasksWait() {
    flink.type(JobType.STREAMING).job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(2, 1, 5));

    assertThat(look(wait(EMPTY))).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void tasksAndPodsThatAreNotUpYetAreCounted() {
    flink.job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(3, 0, 1));
    clusters.both(Pods.running(Pods.taskManager()));
    clusters.both(Pods.unschedulable(Pods.taskManager(), "insufficient memory"));

    assertThat(look(wait(SAVEPOINT)))
        .isEqualTo(
            ProbeResult.notYet(
                "3 of 4 tasks running, 1 scheduled; TaskManager pods: 1 Pending, 1 Running; pod"
                    + " orders-taskmanager-1-1 cannot be scheduled: insufficient memory"));
  }

  @Test
  void aJobThatIsNotSubmittedYetIsWaitedFor() {
    flink.noJob();

    assertThat(look(wait(EMPTY)))
        .isEqualTo(
            ProbeResult.notYet(
                "the JobManager answers; the job is not submitted yet; TaskManager pods: none"));
  }

  /** Flink ends a JobManager whose job cannot be submitted, and nobody may have seen it FAILED. */
  @Test
  void theLogOfAJobManagerThatEndedBeforeItsJobWasSubmittedIsNamed() {
    flink.noJob();
    clusters.both(Pods.waiting(Pods.jobManager(), "CrashLoopBackOff", "back-off", 1));

    assertThat(look(wait(EMPTY)))
        .isEqualTo(
            ProbeResult.notYet(
                "the JobManager answers; the job is not submitted yet; container"
                    + " flink-main-container of pod orders-0 ended once, the last time with exit"
                    + " code 2: Error. See kubectl logs orders-0 --previous. TaskManager pods:"
                    + " none"));
  }

  @Test
  void onASessionClusterOtherJobsAreNobodysBusiness() {
    flink.running().job("feed", FlinkJobState.RESTARTING, FakeFlink.tasks(1, 0, 0));
    RunningCluster own = Jobs.cluster(Map.of());
    RunningCluster session =
        new RunningCluster(
            own.ref(), own.endpoint(), own.configuration(), own.jobId(), own.generation(), true);
    JobUpWait<RunningJob> wait =
        JobUpWait.ofStart(
            new AwaitRunningRequest(Refs.RESOURCE, Jobs.JOB, EMPTY, Long.MAX_VALUE),
            new JobTarget(session, JOB, FlinkConfiguration.empty()),
            clusters.access(clock),
            flink);

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void anotherLiveJobOnTheClusterEndsTheWaitAndIsNamed() {
    flink.running().job("feed", FlinkJobState.RESTARTING, FakeFlink.tasks(1, 0, 0));

    assertThat(look(wait(EMPTY)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.OTHER_JOBS,
                "Cluster default/orders runs other jobs than "
                    + JOB
                    + ": feed (orders, RESTARTING). Cancel them, or move them to another cluster."));
  }

  @Test
  void anotherJobThatHasEndedDoesNotMatter() {
    flink.running().job("feed", FlinkJobState.CANCELED, FakeFlink.tasks(0, 0, 0));

    assertThat(look(wait(EMPTY))).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void flinkIsAskedSeldomWhileNoTaskManagerRuns() {
    flink.job(FlinkJobState.CREATED, 0);
    clusters.both(Pods.taskManager());
    JobUpWait<RunningJob> wait = wait(EMPTY);

    for (int i = 0; i < 40; i++) {
      look(wait);
      clock.advance(Duration.ofMillis(100));
    }

    assertThat(flink.requests).isEqualTo(2);
  }

  @Test
  void flinkIsAskedAtOnceWhenATaskManagerRuns() {
    flink.job(FlinkJobState.CREATED, 0);
    clusters.cache.pods.add(Pods.taskManager());
    JobUpWait<RunningJob> wait = wait(EMPTY);
    look(wait);

    flink.running();
    clusters.cache.pods.set(0, Pods.running(Pods.taskManager()));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void aFailedJobTellsWhy() {
    flink.job(FlinkJobState.FAILED, 0).failedWith("on purpose");

    assertThat(look(wait(EMPTY)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.JOB_FAILED,
                "Job " + JOB + " failed: IllegalStateException: on purpose"));
  }

  @Test
  void anExceptionThatIsStillMissingIsWaitedForButNotForEver() {
    flink.job(FlinkJobState.FAILED, 0);
    JobUpWait<RunningJob> wait = wait(EMPTY);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(wait))).isEqualTo(FailureType.JOB_FAILED);
  }

  @Test
  void aJobThatWasRestoredFromElsewhereIsNotTakenForRunning() {
    flink
        .running()
        .checkpoints(Stats.none().restored("file:/savepoints/savepoint-ab12cd-1").build());

    assertThat(look(wait(SAVEPOINT)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.RESTORED_ELSEWHERE,
                "Flink says that job "
                    + JOB
                    + " was restored from"
                    + " file:/savepoints/savepoint-ab12cd-1; expected: "
                    + PATH));
  }

  @Test
  void aPathThatFlinkQualifiesDifferentlyIsTheSame() {
    flink.running().checkpoints(Stats.none().restored("hdfs://nn:8020/s/savepoint-1").build());

    assertThat(look(wait(new StateRef.Savepoint("hdfs:///s/savepoint-1"))))
        .isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void aJobThatWasToStartEmptyMustNotHaveBeenRestored() {
    flink.running().checkpoints(Stats.none().restored("file:/old/chk-3").build());

    assertThat(type(look(wait(EMPTY)))).isEqualTo(FailureType.RESTORED_ELSEWHERE);
  }

  @Test
  void aJobThatFailedOverOnceWasRestoredFromItsOwnCheckpoint() {
    flink
        .running()
        .checkpoints(Stats.none().restoredCheckpoint("file:/c/" + JOB + "/chk-3").build());

    assertThat(look(wait(SAVEPOINT))).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void aJobThatGoesOnFromItsMetadataMayBeRestoredFromAnything() {
    flink.running().checkpoints(Stats.none().restored("file:/initial").build());

    assertThat(look(wait(new StateRef.HaMetadata(JOB)))).isInstanceOf(ProbeResult.Done.class);
  }

  /** FLINK-35292 */
  @Test
  void aJobThatWasToGoOnFromItsMetadataMustHaveBeenRestored() {
    flink.running().checkpoints(Stats.none().build());
    JobUpWait<RunningJob> wait = wait(new StateRef.HaMetadata(JOB));

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(wait))).isEqualTo(FailureType.RESTORED_ELSEWHERE);
  }

  @Test
  void whatWasRestoredMayShowLate() {
    flink.running().checkpoints(Stats.none().build());
    JobUpWait<RunningJob> wait = wait(SAVEPOINT);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(wait))).isEqualTo(FailureType.RESTORED_ELSEWHERE);
  }

  @Test
  void aStateThatNobodyKnowsCannotHaveBeenTheStart() {
    StateRef unknown = new StateRef.Unknown("lost");

    assertThatThrownBy(() -> wait(unknown)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void itEndsAtTheDeadlineWithWhatItSawLastAndTheNewestException() {
    flink.job(FlinkJobState.RESTARTING, 2).failedWith("no slots");
    JobUpWait<RunningJob> wait = wait(EMPTY);
    clock.advance(Duration.ofMinutes(6));

    assertThat(look(wait))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.CLUSTER_NOT_READY,
                "Not every task of job "
                    + JOB
                    + " was up in time: job is RESTARTING; 2 of 8 tasks running, 6 scheduled;"
                    + " TaskManager pods: none (if that lasts, the JobManager's log says why: a"
                    + " quota, a missing right). Newest exception: IllegalStateException: no"
                    + " slots"));
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"RUNNING", "FINISHED"})
  void aJobThatCameUpInTheLastMomentIsNotCalledAFailure(FlinkJobState state) {
    flink.job(state, 8);
    JobUpWait<RunningJob> wait = wait(EMPTY);
    clock.advance(Duration.ofMinutes(6));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  private JobUpWait<RunningJob> wait(StateRef restoredFrom) {
    return JobUpWait.ofStart(
        new AwaitRunningRequest(
            Jobs.RESOURCE, Jobs.JOB, restoredFrom, clock.in(Duration.ofMinutes(5))),
        new JobTarget(Jobs.cluster(Map.of()), JOB, FlinkConfiguration.empty()),
        clusters.access(clock),
        flink);
  }

  private static ProbeResult<RunningJob> look(JobUpWait<RunningJob> wait) {
    return wait.look();
  }

  private static String type(ProbeResult<RunningJob> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Failed.class);
    return ((ProbeResult.Failed<RunningJob>) outcome).type();
  }
}
