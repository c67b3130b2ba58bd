package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

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

  private static final String NOT_YET = "not yet";
  private static final String UP = "up";

  private static Arguments up(String what, Consumer<FakeFlink> world, String outcome) {
    return Arguments.of(what, world, outcome);
  }

  static Stream<Arguments> ups() {
    FlinkJobState runs = FlinkJobState.RUNNING;
    JobOverview.Tasks oneFailed =
        new JobOverview.Tasks(
            8, Map.of(TaskState.CREATED, 4, TaskState.RUNNING, 3, TaskState.FAILED, 1));
    return Stream.of(
        up("a task has finished", it -> it.job(JOB, runs, FakeFlink.tasks(3, 1, 0)), UP),
        up("the job has finished", it -> it.job(FlinkJobState.FINISHED, 0), UP),
        up(
            "the next stage waits",
            it -> it.type(JobType.BATCH).job(JOB, runs, FakeFlink.tasks(1, 3, 4)),
            UP),
        up("no stage runs yet", it -> it.type(JobType.BATCH).job(runs, 0), NOT_YET),
        up(
            "a task of a stage fails",
            it -> it.type(JobType.BATCH).job(JOB, runs, oneFailed),
            NOT_YET),
        up(
            "some tasks wait, and no stage",
            it -> it.type(JobType.STREAMING).job(JOB, runs, FakeFlink.tasks(2, 1, 5)),
            NOT_YET),
        up(
            "another job has ended",
            it -> it.running().job("feed", FlinkJobState.CANCELED, FakeFlink.tasks(0, 0, 0)),
            UP));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("ups")
  void aJobIsUpOnceItsTasksAre(String what, Consumer<FakeFlink> world, String outcome) {
    world.accept(flink);
    clusters.both(Pods.running(Pods.taskManager()));

    assertThat(look(wait(EMPTY)) instanceof ProbeResult.Done ? UP : NOT_YET).isEqualTo(outcome);
  }

  static Stream<Arguments> restored() {
    StateRef metadata = new StateRef.HaMetadata(JOB);
    StateRef qualified = new StateRef.Savepoint("hdfs:///s/savepoint-1");
    String elsewhere = FailureType.RESTORED_ELSEWHERE;
    return Stream.of(
        Arguments.of(qualified, Stats.none().restored("hdfs://nn:8020/s/savepoint-1"), UP),
        Arguments.of(EMPTY, Stats.none().restored("file:/old/chk-3"), elsewhere),
        // it failed over once, from a checkpoint of its own
        Arguments.of(SAVEPOINT, Stats.none().restoredCheckpoint("file:/" + JOB + "/chk-3"), UP),
        Arguments.of(metadata, Stats.none().restored("file:/initial"), UP),
        // FLINK-35292
        Arguments.of(metadata, Stats.none(), elsewhere),
        Arguments.of(SAVEPOINT, Stats.none(), elsewhere));
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @MethodSource("restored")
  void aJobMustHaveBeenRestoredFromWhatItWasGiven(StateRef given, Stats seen, String outcome) {
    flink.running().checkpoints(seen.build());
    JobUpWait<RunningJob> wait = wait(given);

    boolean late = seen.restored().isEmpty();
    assertThat(look(wait) instanceof ProbeResult.NotYet).as("may show late").isEqualTo(late);
    clock.advance(Duration.ofSeconds(4));

    ProbeResult<RunningJob> last = look(wait);
    assertThat(last instanceof ProbeResult.Done ? UP : type(last)).isEqualTo(outcome);
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

  @ParameterizedTest
  @CsvSource({
    "ErrImagePull, ImagePullFailed",
    "ImagePullBackOff, ImagePullFailed",
    "CreateContainerConfigError, PodFailed",
  })
  void aPodProblemEndsTheWaitWhenItStaysAndTheApiServerSaysTheSame(String reason, String type) {
    clusters.both(Pods.waiting(Pods.jobManager(), reason, "not found", 0));
    flink.up(false);
    JobUpWait<RunningJob> wait = wait(EMPTY);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(11));

    assertThat(type(look(wait))).isEqualTo(type);
  }

  static Stream<Consumer<FakeClusters>> doubts() {
    return Stream.of(it -> it.pods.clear(), it -> it.up = false, it -> it.cache.synced = false);
  }

  /** Only the cache knows it, the API server is away, or the cache is not in sync. */
  @ParameterizedTest
  @MethodSource("doubts")
  void aPodProblemThatIsNotConfirmedEndsNothing(Consumer<FakeClusters> doubt) {
    clusters.both(Pods.waiting(Pods.jobManager(), "ErrImagePull", "not found", 0));
    doubt.accept(clusters);
    flink.up(false);
    JobUpWait<RunningJob> wait = wait(EMPTY);
    look(wait);
    clock.advance(Duration.ofSeconds(11));

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
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
