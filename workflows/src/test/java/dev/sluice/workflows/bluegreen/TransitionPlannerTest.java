package dev.sluice.workflows.bluegreen;

import static dev.sluice.workflows.bluegreen.BlueGreenSight.BUSY;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.FAILED;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.HELD;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.READY;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.SAVEPOINT;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.begun;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.coming;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.first;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.switched;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of what is decided about a blue/green deployment while a transition goes on. */
class TransitionPlannerTest {

  private static final Phase SUSPENDED = new Phase.Suspended("s3://left");
  private static final Phase NEVER_RAN = new Phase.Suspended(null);
  private static final Phase FINISHED = new Phase.Finished("s3://left");
  private static final Phase ENDED = new Phase.Finished(null);

  static Stream<Arguments> underway() {
    return Stream.of(
        arguments("begun", begun().begun(Source.SAVEPOINT, null, null), "TakeSavepoint"),
        arguments(
            "begun, live is gone",
            begun().begun(Source.SAVEPOINT, null, null).without(Color.BLUE),
            "parked StateNotFound, choose"),
        arguments(
            "begun, too long ago",
            begun().begun(Source.SAVEPOINT, null, null).overdue(),
            "give up TimedOut"),
        arguments("savepoint taken", begun(), "apply green"),
        arguments("savepoint taken, live is gone", begun().without(Color.BLUE), "apply green"),
        arguments(
            "savepoint taken long ago, live is gone",
            begun().without(Color.BLUE).overdue(),
            "parked StateNotFound, choose"),
        arguments(
            "savepoint taken long ago, live is gone, that path is chosen",
            begun().without(Color.BLUE).overdue().choosing(SAVEPOINT),
            "begin green KNOWN s3://savepoint"),
        arguments(
            "from what a person chose, long ago, live is gone",
            begun().begun(Source.KNOWN, "s3://mine", null).without(Color.BLUE).overdue(),
            "apply green"),
        arguments("savepoint taken, too long ago", begun().overdue(), "give up TimedOut"),
        arguments("green is somebody else's", begun().ofOthers(Color.GREEN), "parked NameTaken"),
        arguments("green is being deleted", coming(BUSY).deleting(Color.GREEN), "delete green"),
        arguments(
            "green is of an earlier transition",
            begun().child(Color.GREEN, 1, "s3://old", READY),
            "delete green"),
        arguments(
            "green starts from another savepoint",
            begun().child(Color.GREEN, 2, "s3://old", READY),
            "delete green"),
        arguments(
            "green comes without state", begun().begun(Source.EMPTY, null, null), "apply green"),
        arguments(
            "green comes without state, and has some",
            begun().begun(Source.EMPTY, null, null).child(Color.GREEN, 2, "s3://old", READY),
            "delete green"),
        arguments("green is busy", coming(BUSY), "await green in time"),
        arguments("green is held", coming(HELD), "await green in time"),
        arguments("green is busy for too long", coming(BUSY).overdue(), "give up TimedOut"),
        arguments("green has failed", coming(FAILED), "give up JobFailed"),
        arguments("green was suspended", coming(SUSPENDED), "give up Aborted"),
        arguments("green is to be suspended", coming(NEVER_RAN).suspends(), "switch to green"),
        arguments("green has finished", coming(ENDED), "switch to green"),
        arguments("green is ready", coming(READY), "switch to green"),
        arguments("green is ready, too late", coming(READY).overdue(), "switch to green"),
        arguments("green is ready, gates", coming(READY).gated(), "PassGates"),
        arguments(
            "green is through the gates",
            coming(READY).gated().gatesPassed("uid-green"),
            "switch to green"),
        arguments(
            "another green was through the gates",
            coming(READY).gated().gatesPassed("uid-other"),
            "PassGates"),
        arguments(
            "green is not through the gates in time",
            coming(READY).gated().overdue(),
            "give up TimedOut"));
  }

  private static BlueGreenSight deploying(Phase phase) {
    return first().begun(Source.SPEC, null, null).child(Color.GREEN, 2, null, phase);
  }

  static Stream<Arguments> withoutFallback() {
    return Stream.of(
        arguments("first, busy for long", deploying(BUSY).overdue(), "await green"),
        arguments("first, failed", deploying(FAILED).overdue(), "parked JobFailed"),
        arguments("first, ready: no gates", deploying(READY).gated(), "switch to green"),
        arguments("first, suspended by somebody", deploying(SUSPENDED), "apply green in place"),
        arguments("first, suspended", deploying(SUSPENDED).suspends(), "switch to green"),
        arguments(
            "first, newer spec", deploying(FAILED).generation(3, Change.FIRST), "begin green SPEC"),
        arguments(
            "first, for the newer spec",
            first().begun(Source.SPEC, null, null).child(Color.GREEN, 1, null, FAILED),
            "apply green in place"),
        arguments("live is gone, green is busy", coming(BUSY).without(Color.BLUE), "await green"),
        arguments(
            "live is gone, green is ready", coming(READY).without(Color.BLUE), "switch to green"),
        arguments(
            "live is gone, green has failed",
            coming(FAILED).without(Color.BLUE).overdue(),
            "parked JobFailed"),
        arguments(
            "live is gone, a newer spec, green is ready: it has the state",
            coming(READY).without(Color.BLUE).generation(3, Change.TRANSITION),
            "switch to green"),
        arguments(
            "live is gone, a newer spec, green is busy",
            coming(BUSY).without(Color.BLUE).generation(3, Change.TRANSITION),
            "begin green KNOWN s3://savepoint"),
        arguments(
            "live is gone, a newer spec, green has failed",
            coming(FAILED).without(Color.BLUE).generation(3, Change.TRANSITION),
            "begin green KNOWN s3://savepoint"),
        arguments(
            "live is gone, a newer spec, green comes without state and has failed",
            begun()
                .begun(Source.EMPTY, null, null)
                .child(Color.GREEN, 2, null, FAILED)
                .without(Color.BLUE)
                .generation(3, Change.TRANSITION),
            "begin green EMPTY"),
        arguments(
            "live is gone, a newer spec that redeploys, green has failed",
            coming(FAILED).without(Color.BLUE).generation(3, Change.SAVEPOINT_REDEPLOY),
            "begin green SPEC"),
        arguments(
            "live is gone, a newer spec that is not valid, green has failed",
            coming(FAILED).without(Color.BLUE).problem().generation(3, Change.TRANSITION),
            "parked InvalidSpec"),
        arguments(
            "live is gone, a newer spec that is not valid, green is busy",
            coming(BUSY).without(Color.BLUE).problem().generation(3, Change.TRANSITION),
            "await green"),
        arguments(
            "live is gone, begun again for the newer spec: green takes it over",
            begun()
                .begun(Source.KNOWN, SAVEPOINT, null)
                .without(Color.BLUE)
                .child(Color.GREEN, 1, SAVEPOINT, FAILED),
            "apply green in place"),
        arguments(
            "live is gone, green is of another savepoint",
            begun()
                .begun(Source.KNOWN, SAVEPOINT, null)
                .without(Color.BLUE)
                .child(Color.GREEN, 1, "s3://old", FAILED),
            "delete green"),
        arguments(
            "live is gone, aborted: green is kept",
            coming(BUSY).without(Color.BLUE).deletes().aborting(),
            "suspend green"));
  }

  static Stream<Arguments> newerSpec() {
    return Stream.of(
        arguments(
            "another new child", coming(BUSY).generation(3, Change.TRANSITION), "delete green"),
        arguments(
            "another new child, the old one is gone",
            begun().generation(3, Change.TRANSITION),
            "begin green SAVEPOINT"),
        arguments("reverted", coming(BUSY).generation(3, Change.NONE), "delete green"),
        arguments("reverted, green is gone", begun().generation(3, Change.NONE), "end REACHED 3"),
        arguments("suspend", coming(BUSY).suspends().generation(3, Change.SUSPEND), "delete green"),
        arguments(
            "suspend, green is gone",
            begun().suspends().generation(3, Change.SUSPEND),
            "end REPLACED 2"),
        arguments(
            "live is not ready: green stays until it is",
            coming(BUSY).blue(BUSY).generation(3, Change.TRANSITION),
            "await blue in time"),
        arguments(
            "invalid",
            coming(READY).problem().generation(3, Change.TRANSITION),
            "parked InvalidSpec"),
        arguments(
            "invalid for too long",
            coming(READY).problem().generation(3, Change.TRANSITION).overdue(),
            "give up TimedOut"),
        arguments(
            "after the switch: that comes to its end first",
            switched(READY).generation(3, Change.TRANSITION),
            "delete blue"));
  }

  static Stream<Arguments> newerSpecThatNoChildWouldSee() {
    return Stream.of(
        arguments(
            "no savepoint yet",
            begun().begun(Source.SAVEPOINT, null, null).generationOfSameTemplate(3),
            "TakeSavepoint"),
        arguments("no child yet", begun().generationOfSameTemplate(3), "apply green"),
        arguments("green is busy", coming(BUSY).generationOfSameTemplate(3), "await green in time"),
        arguments("green is ready", coming(READY).generationOfSameTemplate(3), "switch to green"),
        arguments(
            "green has gates now", coming(READY).gated().generationOfSameTemplate(3), "PassGates"),
        arguments(
            "green is too late now",
            coming(BUSY).overdue().generationOfSameTemplate(3),
            "give up TimedOut"),
        arguments(
            "invalid", coming(READY).problem().generationOfSameTemplate(3), "parked InvalidSpec"),
        arguments("aborted", begun().aborting().generationOfSameTemplate(3), "end GIVEN_UP 3"),
        arguments(
            "green is live and has failed, and blue too",
            switched(FAILED).blue(FAILED).generationOfSameTemplate(3),
            "end GIVEN_UP 3"),
        arguments("green is live", switched(READY).generationOfSameTemplate(3), "delete blue"),
        arguments(
            "green is live, blue is gone",
            switched(READY).without(Color.BLUE).generationOfSameTemplate(3),
            "end REACHED 2"));
  }

  static Stream<Arguments> afterTheSwitch() {
    return Stream.of(
        arguments("ingress", switched(READY).ingressElsewhere(), "ingress green"),
        arguments("no delay", switched(READY), "delete blue"),
        arguments("delay", switched(READY).delayed(), "Delay"),
        arguments("delay over", switched(READY).delayed().overdue(), "delete blue"),
        arguments("green has finished", switched(ENDED), "delete blue"),
        arguments("green is not ready", switched(BUSY), "await green in time"),
        arguments("green stays unready", switched(BUSY).patient(), "blocked JobNotRunning"),
        arguments("green has failed", switched(FAILED), "parked JobNotRunning"),
        arguments(
            "green has failed, blue is suspended",
            switched(FAILED).blue(SUSPENDED),
            "end GIVEN_UP 2"),
        arguments(
            "green has failed, and blue too", switched(FAILED).blue(FAILED), "end GIVEN_UP 2"),
        arguments(
            "green has failed, blue is busy", switched(FAILED).blue(BUSY), "parked JobNotRunning"),
        arguments("green is gone", switched(READY).without(Color.GREEN), "parked StateNotFound"),
        arguments(
            "green is gone, blue has finished",
            switched(READY).without(Color.GREEN).blue(FINISHED),
            "end GIVEN_UP 2"),
        arguments(
            "green is live, and nobody knows since when",
            switched(READY).delayed().begun(Source.SAVEPOINT, SAVEPOINT, null),
            "delete blue"),
        arguments("blue is going", switched(FAILED).deleting(Color.BLUE), "delete blue"),
        arguments("blue is gone", switched(READY).without(Color.BLUE), "end REACHED 2"),
        arguments(
            "both are gone",
            switched(READY).without(Color.BLUE).without(Color.GREEN),
            "end GIVEN_UP 2"),
        arguments("blue is somebody else's", switched(READY).ofOthers(Color.BLUE), "end REACHED 2"),
        arguments("aborted", switched(READY).delayed().aborting(), "switch back to blue"),
        arguments("aborted, green has failed", switched(FAILED).aborting(), "switch back to blue"),
        arguments("aborted, blue has failed", switched(READY).blue(FAILED).aborting(), "TooLate"),
        arguments(
            "aborted, blue is going", switched(READY).deleting(Color.BLUE).aborting(), "TooLate"),
        arguments(
            "aborted, blue is gone", switched(READY).without(Color.BLUE).aborting(), "TooLate"));
  }

  static Stream<Arguments> givingUp() {
    return Stream.of(
        arguments("no child yet", begun().aborting(), "end GIVEN_UP 2"),
        arguments("green runs", coming(READY).aborting(), "suspend green"),
        arguments("green runs, to be deleted", coming(READY).deletes().aborting(), "delete green"),
        arguments("green is suspended", coming(SUSPENDED).aborting(), "end GIVEN_UP 2"),
        arguments(
            "green was told to suspend its job",
            coming(BUSY).aborting().suspended("uid-green"),
            "await green in time"),
        arguments(
            "green cannot suspend its job for long",
            coming(HELD).aborting().suspended("uid-green").patient(),
            "end GIVEN_UP 2"),
        arguments(
            "green is of an earlier transition, and runs",
            begun().child(Color.GREEN, 1, "s3://old", READY).aborting(),
            "suspend green"),
        arguments(
            "green is of an earlier transition, and is to be deleted",
            begun().child(Color.GREEN, 1, "s3://old", READY).deletes().aborting(),
            "delete green"),
        arguments(
            "green is of an earlier transition",
            begun().child(Color.GREEN, 1, "s3://old", SUSPENDED).aborting(),
            "end GIVEN_UP 2"),
        arguments(
            "went back: nobody has to ask again",
            switched(READY).backAtBlue().ingressElsewhere(),
            "ingress blue"),
        arguments(
            "the first deployment",
            first()
                .child(Color.GREEN, 2, SAVEPOINT, BUSY)
                .begun(Source.SPEC, null, null)
                .aborting(),
            "suspend green"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({
    "underway",
    "withoutFallback",
    "newerSpec",
    "newerSpecThatNoChildWouldSee",
    "afterTheSwitch",
    "givingUp"
  })
  void decides(String row, BlueGreenSight sight, String decision) {
    assertThat(sight.decision()).as(row).isEqualTo(decision);
  }
}
