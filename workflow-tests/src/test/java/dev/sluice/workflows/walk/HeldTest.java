package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.SavepointEnd;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Upgrades that are blocked or parked: what lets them go on, and what they say. */
class HeldTest {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final Spec NEW = Spec.of("new", HEALTHY);
  private static final String UP = "generation 2 is deployed";
  private static final String STARTS = "job 2 starts from savepoint of job 1; ";

  private static Story upgrade(Spec old, Spec next, Reaction... person) {
    return new Story(environment -> Scenarios.upgrade(environment, old, next), person);
  }

  private static Spec saving(SavepointEnd end) {
    return Spec.of("old", HEALTHY.savepointing(end));
  }

  private static Arguments row(String name, Story story, String expected) {
    return Arguments.of(Named.of(name, story), expected);
  }

  static Stream<Arguments> upgrades() {
    return Stream.of(
        row(
            "the job is up meanwhile",
            upgrade(Scenarios.OLD, Spec.of("new", HEALTHY.starting(Start.NO_SLOTS)), Reaction.HEAL),
            STARTS + "Upgrade is Parked, ClusterNotReady; " + UP),
        // FLINK-30528: its savepoint keeps failing, and only the mode is changed
        row(
            "only the upgrade mode is changed",
            upgrade(saving(SavepointEnd.FAILS), NEW)
                .after(
                    "status: Upgrade is Parked, SavepointFailed",
                    "last-state",
                    (lane, point) -> lane.applyAndTell(NEW.mode(UpgradeMode.LAST_STATE))),
            "Upgrade is Parked, SavepointFailed; job 2 starts from checkpoint of job 1;"
                + " generation 3 is deployed"),
        row(
            "the change is taken back before the stop",
            upgrade(saving(SavepointEnd.FAILS), NEW, Reaction.REVERT),
            "Upgrade is Parked, SavepointFailed; generation 1 is deployed"),
        // it is cancelled, and what is left of it now is older
        row(
            "its newest checkpoint is deleted when it is cancelled",
            upgrade(
                    Scenarios.OLD,
                    NEW.mode(UpgradeMode.LAST_STATE),
                    Reaction.HEAL_AND_RETRY,
                    Reaction.RESTORE_EMPTY)
                .during("CancelJob", 1, "deleted", lane -> lane.environment().deleteNewestState())
                .after(
                    "status: Upgrade is Parked, StateNotFound",
                    "an older one is told",
                    (lane, point) -> lane.environment().tellOlderState()),
            "Upgrade is Parked, StateNotFound; Upgrade is Parked, StateNotFound;"
                + " job 2 starts from no state; "
                + UP),
        // it has another default configuration, and comes to have the same
        row(
            "a worker refuses the spec that another one accepts",
            upgrade(Scenarios.OLD, NEW, Reaction.NOTHING, Reaction.HEAL)
                .before("Observe", 1, "differ", lane -> lane.environment().workersDiffer()),
            "Upgrade is Blocked, InvalidSpec; " + STARTS + UP),
        row("the newest spec is invalid", upgrade(Scenarios.OLD, NEW.invalid()), ""),
        row(
            "a newest spec that is invalid does not end what is begun",
            upgrade(Scenarios.OLD, NEW)
                .during(
                    "DeleteCluster",
                    1,
                    "invalid",
                    lane -> lane.applyAndTell(Spec.of("newer", HEALTHY).invalid())),
            STARTS + UP),
        row(
            "a spec that came during the run is given up",
            upgrade(Scenarios.OLD, NEW, Reaction.ABORT)
                .during(
                    "DeleteCluster",
                    1,
                    "newer",
                    lane -> lane.applyAndTell(Spec.of("newer", HEALTHY.starting(Start.FAILS)))),
            "job 2 starts from savepoint of job 1; Upgrade is Parked, JobFailed;"
                + " rolls back to generation 1; job 3 starts from savepoint of job 1;"
                + " generation 1 is deployed"),
        row(
            "a spec that came during the run is rolled back by itself",
            upgrade(Scenarios.OLD, NEW)
                .during(
                    "DeleteCluster",
                    1,
                    "newer",
                    lane ->
                        lane.applyAndTell(
                            Spec.of(
                                "newer " + ResourceEffects.ROLLS_BACK,
                                HEALTHY.starting(Start.FAILS)))),
            "job 2 starts from savepoint of job 1; rolls back to generation 1;"
                + " job 3 starts from savepoint of job 1; generation 1 is deployed"),
        row(
            "a spec comes while the job cannot be stopped for the one before",
            upgrade(saving(SavepointEnd.FAILS), NEW)
                .during(
                    "StopWithSavepoint",
                    1,
                    "newer",
                    lane -> lane.applyAndTell(NEW.mode(UpgradeMode.LAST_STATE))),
            "job 2 starts from checkpoint of job 1; generation 3 is deployed"),
        row(
            "a spec that has superseded a rollback is given up, too",
            upgrade(Scenarios.OLD, Spec.of("new", HEALTHY.starting(Start.FAILS)), Reaction.ABORT)
                .during(
                    "DeleteCluster",
                    2,
                    "newer",
                    lane -> lane.applyAndTell(Spec.of("newer", HEALTHY)))
                .during("CreateCluster", 2, "abort", Lane::abort),
            "job 2 starts from savepoint of job 1; Upgrade is Parked, JobFailed;"
                + " rolls back to generation 1; job 3 starts from savepoint of job 1;"
                + " rolls back to generation 1; job 4 starts from savepoint of job 1;"
                + " generation 1 is deployed"),
        row(
            "an abort while it is not known whether the job is being stopped",
            upgrade(Scenarios.OLD, NEW, Reaction.ABORT)
                .after(
                    "status: upgrades to generation 2",
                    "no answer",
                    (lane, point) -> lane.failNext(point.step(), 12)),
            "Upgrade is Blocked, Blocked; rolls back to generation 1;"
                + " job 2 starts from savepoint of job 1; generation 1 is deployed"),
        row(
            "a newer generation says the same",
            upgrade(Scenarios.OLD, NEW).during("AwaitRunning", 1, "the same", Lane::touch),
            STARTS + UP));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("upgrades")
  void goesOn(Story story, String expected) {
    assertThat(story.begins().course()).isEqualTo(expected);
  }

  /** What a wait is for does not come any more. */
  @ParameterizedTest
  @CsvSource({
    "IMAGE_MISSING, AwaitJobManager",
    "NO_SLOTS,      AwaitRunning",
  })
  void aWaitIsLeftAtOnce(Start start, String step) {
    List<String> courses = new ArrayList<>();
    Spec next = Spec.of("new", HEALTHY.starting(start));
    courses.add(
        upgrade(Scenarios.OLD, next).during(step, 1, "abort", Lane::abort).begins().course());
    courses.add(
        upgrade(Scenarios.OLD, next)
            .during(step, 1, "newer", lane -> lane.applyAndTell(Spec.of("newer", HEALTHY)))
            .begins()
            .course());
    courses.add(
        upgrade(Scenarios.OLD, next).during(step, 1, "deletion", Lane::delete).begins().course());

    assertThat(String.join(" ", courses))
        .contains("rolls back to generation 1", "generation 3 is deployed", "resource is gone")
        .doesNotContain("Parked", "Blocked");
  }

  /** A job that may have been stopped is not said to run, and no abort is offered. */
  @Test
  void whatIsNotKnownIsSaidToBeSo() {
    Story story =
        upgrade(Scenarios.OLD, NEW, Reaction.NOTHING, Reaction.NOTHING, Reaction.NOTHING)
            .before("StopWithSavepoint", 1, "away", lane -> lane.environment().flinkAway(60));
    List<String> details = new ArrayList<>();
    story.after(
        "the user: NOTHING about TimedOut",
        "look",
        (lane, point) -> details.add(story.temporal.currentDetails()));

    assertThat(story.begins().course()).isEqualTo("Upgrade is Blocked, TimedOut; " + STARTS + UP);
    assertThat(story.run.environment().trace())
        .filteredOn(line -> line.contains("HELD"))
        .first()
        .asString()
        .contains("not known", "offersAbort=false")
        .doesNotContain("RUNNING");
    assertThat(details)
        .singleElement()
        .asString()
        .contains("### upgrade `default/orders` 1 -> 2", "Trying again after: TimedOut")
        .doesNotContain("signal `abort`");
  }

  @Test
  void aRollbackSaysInTheEndWhyTheNewerSpecWasGivenUp() {
    Story story =
        upgrade(Scenarios.OLD, Spec.of("new", HEALTHY.starting(Start.FAILS)), Reaction.ABORT)
            .begins();

    assertThat(story.run.environment().resource().operation().message())
        .startsWith("Generation 1 is deployed")
        .contains(". The newer spec was given up: ");
  }

  @Test
  void theStatusSaysWhatIsDoneAndWhy() {
    List<String> told = new ArrayList<>();
    Story story =
        upgrade(Scenarios.OLD, NEW)
            .before(
                "StopWithSavepoint",
                1,
                "look",
                lane -> told.add(lane.environment().resource().operation().message()));

    assertThat(story.begins().course()).isEqualTo(STARTS + UP);
    assertThat(told)
        .containsExactly(
            "Upgrading to generation 2. The job runs; it is stopped with a savepoint.");
  }
}
