package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code sluice.dev/stable-after}: a job that was up, and is not stable yet, has more than what it
 * was started from. Without high availability its JobManager would begin it again from there; with
 * it nobody would know any more what it left.
 */
class ProvingTest {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final String STARTS = "job 2 starts from savepoint of job 1; ";
  private static final String UP = "generation 2 is deployed";

  private static Story upgrade(Start start, Reaction... person) {
    return upgrade(Scenarios.OLD, proving(HEALTHY.starting(start)), person);
  }

  private static Story upgrade(Spec old, Spec next, Reaction... person) {
    return new Story(environment -> Scenarios.upgrade(environment, old, next), person);
  }

  private static Spec proving(JobShape shape) {
    return Spec.of("new " + ResourceEffects.PROVES_ITSELF, shape);
  }

  private static Arguments row(String name, Story story, String expected) {
    return Arguments.of(Named.of(name, story), expected);
  }

  static Stream<Arguments> jobsThatAreNotStable() {
    return Stream.of(
        row(
            "it is blocked, and the wait goes on",
            upgrade(Start.KEEPS_RESTARTING, Reaction.NOTHING, Reaction.HEAL),
            STARTS + "Upgrade is Blocked, NotStable; " + UP),
        row(
            "after another hold",
            upgrade(Start.IMAGE_MISSING, Reaction.HEAL),
            "Upgrade is Blocked, ImagePullFailed; " + STARTS + UP),
        row(
            "a retry begins the wait of a job that is up again",
            upgrade(Start.KEEPS_RESTARTING, Reaction.RETRY, Reaction.HEAL),
            STARTS + "Upgrade is Blocked, NotStable; Upgrade is Blocked, NotStable; " + UP),
        row(
            "its Deployment is deleted",
            upgrade(Start.COMES_UP, Reaction.RESTORE_NEWEST)
                .during(
                    "AwaitStable",
                    1,
                    "the Deployment is deleted",
                    lane -> lane.environment().deleteDeploymentByHand()),
            STARTS
                + "Upgrade is Parked, ClusterNotReady; job 3 starts from checkpoint of job 2; "
                + UP));
  }

  static Stream<Arguments> jobsThatHaveFailed() {
    String parked = "Upgrade is Parked, JobFailed; ";
    return Stream.of(
        row(
            "its JobManager is stopped, and a retry goes on from what it left",
            upgrade(Start.FAILS_LATER, Reaction.RETRY, Reaction.CORRECT),
            STARTS
                + "record the end of job 2; "
                + parked
                + "job 3 starts from checkpoint of job 2; record the end of job 3; "
                + parked
                + "job 4 starts from checkpoint of job 3; generation 3 is deployed"),
        row(
            "with high availability it is noted what it left",
            upgrade(
                Spec.of("old", HEALTHY.highlyAvailable()),
                proving(HEALTHY.highlyAvailable().starting(Start.FAILS_LATER)),
                Reaction.CORRECT),
            STARTS
                + "record the end of job 2; "
                + parked
                + "job 3 starts from checkpoint of job 2; generation 3 is deployed"),
        row(
            "stateless: a retry starts empty, and the next spec from what it left",
            upgrade(
                Scenarios.OLD,
                proving(HEALTHY.starting(Start.FAILS_LATER)).mode(UpgradeMode.STATELESS),
                Reaction.RETRY,
                Reaction.CORRECT),
            "job 2 starts from no state; record the end of job 2; "
                + parked
                + "job 3 starts from no state; record the end of job 3; "
                + parked
                + "job 4 starts from checkpoint of job 3; generation 3 is deployed"),
        row(
            "it has not progressed: its JobManager stays",
            upgrade(Start.FAILS, Reaction.CORRECT),
            STARTS + parked + "job 3 starts from savepoint of job 1; generation 3 is deployed"),
        row(
            "its JobManager does not answer: it stays until it does",
            upgrade(Start.COMES_UP, Reaction.NOTHING, Reaction.NOTHING, Reaction.NOTHING)
                .during(
                    "AwaitStable",
                    1,
                    "it fails, and Flink is away",
                    lane -> {
                      lane.environment().failJob();
                      lane.environment().flinkAway(60);
                    }),
            STARTS
                + "Upgrade is Blocked, JobManagerSilent; record the end of job 2; "
                + parked
                + "job 3 starts from checkpoint of job 2; "
                + UP));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"jobsThatAreNotStable", "jobsThatHaveFailed"})
  void aJobThatProvesItself(Story story, String expected) {
    assertThat(story.begins().course()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waits")
  void theWaitGoesOn(Story story, int waits) {
    assertThat(story.begins().course()).isEqualTo(STARTS + UP);
    assertThat(story.run.lane().steps()).filteredOn("AwaitStable"::equals).hasSize(waits);
    assertThat(story.run.lane().steps()).containsOnlyOnce("CreateCluster");
  }

  static Stream<Arguments> waits() {
    return Stream.of(
        Arguments.of(
            Named.of(
                "also after a retry that nobody offers",
                upgrade(Start.COMES_UP)
                    .during("AwaitStable", 1, "retry", lane -> lane.signal(LaneSignals.RETRY))),
            1),
        Arguments.of(
            Named.of(
                "in the run that takes over",
                upgrade(Start.COMES_UP).during("AwaitStable", 1, "lost", Lane::terminate)),
            2));
  }
}
