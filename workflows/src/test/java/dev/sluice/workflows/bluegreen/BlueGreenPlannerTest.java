package dev.sluice.workflows.bluegreen;

import static dev.sluice.workflows.bluegreen.BlueGreenSight.BUSY;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.FAILED;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.HELD;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.READY;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.SAVEPOINT;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.first;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.idle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of what is decided about a blue/green deployment while no transition goes on. */
class BlueGreenPlannerTest {

  private static final Phase SUSPENDED = new Phase.Suspended("s3://left");
  private static final Phase NEVER_RAN = new Phase.Suspended(null);
  private static final Phase FINISHED = new Phase.Finished("s3://left");
  private static final Phase ENDED = new Phase.Finished(null);

  static Stream<Arguments> nothingUnderway() {
    return Stream.of(
        arguments("up to date", idle(Change.NONE).generation(1, Change.NONE), "Nothing"),
        arguments("only the generation differs", idle(Change.NONE), "end REACHED 2"),
        arguments("was given up", idle(Change.TRANSITION).givenUp(), "Nothing"),
        arguments(
            "up to date, green runs beside",
            idle(Change.NONE).generation(1, Change.NONE).child(Color.GREEN, 2, SAVEPOINT, READY),
            "suspend green"),
        arguments(
            "up to date, green stops",
            idle(Change.NONE)
                .generation(1, Change.NONE)
                .child(Color.GREEN, 2, SAVEPOINT, BUSY)
                .suspended("uid-green"),
            "await green in time"),
        arguments(
            "up to date, green does not stop",
            idle(Change.NONE)
                .generation(1, Change.NONE)
                .child(Color.GREEN, 2, SAVEPOINT, HELD)
                .suspended("uid-green")
                .patient(),
            "Nothing"),
        arguments(
            "up to date, green is suspended",
            idle(Change.NONE)
                .generation(1, Change.NONE)
                .child(Color.GREEN, 2, SAVEPOINT, SUSPENDED),
            "Nothing"),
        arguments(
            "up to date, green is somebody else's",
            idle(Change.NONE).generation(1, Change.NONE).ofOthers(Color.GREEN),
            "Nothing"),
        arguments(
            "was given up, green runs",
            idle(Change.TRANSITION).givenUp().child(Color.GREEN, 2, SAVEPOINT, READY),
            "suspend green"),
        arguments(
            "live is held, green runs beside",
            idle(Change.TRANSITION).blue(HELD).child(Color.GREEN, 2, SAVEPOINT, READY),
            "suspend green"),
        arguments(
            "live is gone, green runs: it may be the only one",
            idle(Change.NONE).without(Color.BLUE).child(Color.GREEN, 2, SAVEPOINT, READY),
            "parked StateNotFound, choose"),
        arguments(
            "was given up, retried",
            idle(Change.TRANSITION).givenUp().again(),
            "begin green SAVEPOINT"),
        arguments("invalid", idle(Change.TRANSITION).problem(), "Invalid"),
        arguments("aborted", idle(Change.TRANSITION).aborting(), "end GIVEN_UP 2"),
        arguments("first", first(), "begin blue SPEC"),
        arguments(
            "first, both exist",
            first().child(Color.BLUE, 1, null, READY).child(Color.GREEN, 1, null, READY),
            "parked NameTaken"),
        arguments(
            "first, green alone exists",
            first().child(Color.GREEN, 1, null, READY),
            "begin green SPEC"),
        arguments("first, name taken", first().ofOthers(Color.BLUE), "parked NameTaken"),
        arguments(
            "first, who has the name goes",
            first().ofOthers(Color.BLUE).deleting(Color.BLUE),
            "blocked NameTaken"),
        arguments(
            "first, an earlier child goes",
            first().child(Color.BLUE, 1, null, READY).deleting(Color.BLUE),
            "delete blue"),
        arguments(
            "first, both exist, blue goes",
            first()
                .child(Color.BLUE, 1, null, READY)
                .child(Color.GREEN, 1, null, READY)
                .deleting(Color.BLUE),
            "delete blue"),
        arguments(
            "first, of Apache's operator, which has noted its spec",
            first().generation(2, Change.NONE).reached(2).child(Color.BLUE, 0, null, READY),
            "begin blue SPEC"),
        arguments("live is ready", idle(Change.TRANSITION), "begin green SAVEPOINT"),
        arguments(
            "live has the newest spec, and is ready",
            idle(Change.TRANSITION).child(Color.BLUE, 2, null, READY),
            "end REACHED 2"),
        arguments("stateless", idle(Change.TRANSITION).stateless(), "begin green EMPTY"),
        arguments(
            "stateless, live has failed",
            idle(Change.TRANSITION).stateless().blue(FAILED),
            "begin green EMPTY"),
        arguments("redeploy", idle(Change.SAVEPOINT_REDEPLOY), "begin green SPEC"),
        arguments(
            "redeploy in a suspended spec",
            idle(Change.SAVEPOINT_REDEPLOY).suspends(),
            "begin green SPEC"),
        arguments(
            "redeploy, stateless", idle(Change.SAVEPOINT_REDEPLOY).stateless(), "begin green SPEC"),
        arguments(
            "live is suspended",
            idle(Change.TRANSITION).blue(SUSPENDED),
            "begin green KNOWN s3://left"),
        arguments(
            "live is suspended, and left nothing",
            idle(Change.TRANSITION).blue(NEVER_RAN),
            "apply blue in place"),
        arguments(
            "live has finished with a savepoint",
            idle(Change.TRANSITION).blue(FINISHED),
            "begin green KNOWN s3://left"),
        arguments(
            "live has finished by itself",
            idle(Change.TRANSITION).blue(ENDED),
            "begin green EMPTY"),
        arguments(
            "live has finished on a session cluster",
            idle(Change.TRANSITION).stopping(Color.BLUE, ENDED, true),
            "begin green EMPTY"),
        arguments(
            "the same, with a savepoint",
            idle(Change.TRANSITION).stopping(Color.BLUE, FINISHED, true),
            "begin green KNOWN s3://left"),
        arguments(
            "the same, and nobody tells what it left",
            idle(Change.TRANSITION).stopping(Color.BLUE, Phase.Finished.untold(), true),
            "parked StateNotFound, choose"),
        arguments("live is busy", idle(Change.TRANSITION).blue(BUSY), "await blue in time"),
        arguments(
            "live stays busy",
            idle(Change.TRANSITION).blue(BUSY).patient(),
            "blocked JobNotRunning, choose"),
        arguments(
            "live is held", idle(Change.TRANSITION).blue(HELD), "blocked JobNotRunning, choose"),
        arguments(
            "live has failed", idle(Change.TRANSITION).blue(FAILED), "parked JobFailed, choose"),
        arguments(
            "live has failed, a path is chosen",
            idle(Change.TRANSITION).blue(FAILED).choosing("s3://mine"),
            "begin green KNOWN s3://mine"),
        arguments(
            "live has failed, a path is named without a retry",
            idle(Change.TRANSITION).blue(FAILED).annotated("s3://mine"),
            "parked JobFailed, choose"),
        arguments(
            "live is ready: a path that is named does not count",
            idle(Change.TRANSITION).choosing("s3://mine"),
            "begin green SAVEPOINT"),
        arguments(
            "live has failed, its state is given up",
            idle(Change.TRANSITION).blue(FAILED).choosing("empty"),
            "begin green EMPTY"),
        arguments(
            "live is being deleted",
            idle(Change.TRANSITION).deleting(Color.BLUE),
            "blocked JobNotRunning"),
        arguments(
            "live is gone",
            idle(Change.TRANSITION).without(Color.BLUE),
            "parked StateNotFound, choose"),
        arguments(
            "live is gone, nothing has changed",
            idle(Change.NONE).without(Color.BLUE),
            "parked StateNotFound, choose"),
        arguments(
            "live is gone, stateless",
            idle(Change.NONE).without(Color.BLUE).stateless(),
            "begin green EMPTY"),
        arguments(
            "live is gone, its state is given up",
            idle(Change.NONE).without(Color.BLUE).choosing("empty"),
            "begin green EMPTY"),
        arguments(
            "live is somebody else's, nothing has changed",
            idle(Change.NONE).generation(1, Change.NONE).ofOthers(Color.BLUE),
            "parked NameTaken"),
        arguments(
            "live is being deleted, nothing has changed",
            idle(Change.NONE).generation(1, Change.NONE).deleting(Color.BLUE),
            "blocked JobNotRunning"),
        arguments(
            "live is somebody else's",
            idle(Change.TRANSITION).ofOthers(Color.BLUE),
            "parked NameTaken"),
        arguments(
            "green is left of an earlier transition",
            idle(Change.TRANSITION).child(Color.GREEN, 2, SAVEPOINT, SUSPENDED),
            "delete green"),
        arguments(
            "green is left, and live is not ready",
            idle(Change.TRANSITION).blue(HELD).child(Color.GREEN, 2, SAVEPOINT, SUSPENDED),
            "blocked JobNotRunning, choose"),
        arguments(
            "green is somebody else's",
            idle(Change.TRANSITION).ofOthers(Color.GREEN),
            "parked NameTaken"));
  }

  static Stream<Arguments> inPlace() {
    return Stream.of(
        arguments("patch", idle(Change.PATCH), "apply blue in place"),
        arguments("suspend", idle(Change.SUSPEND).suspends(), "apply blue in place"),
        arguments("resume", idle(Change.RESUME).blue(SUSPENDED), "apply blue in place"),
        arguments(
            "suspend with another change",
            idle(Change.TRANSITION).suspends(),
            "apply blue in place"),
        arguments(
            "patched, at work", idle(Change.PATCH).child(Color.BLUE, 2, null, BUSY), "await blue"),
        arguments(
            "patched, held", idle(Change.PATCH).child(Color.BLUE, 2, null, HELD), "await blue"),
        arguments("patched", idle(Change.PATCH).child(Color.BLUE, 2, null, READY), "end REACHED 2"),
        arguments(
            "suspended",
            idle(Change.SUSPEND).suspends().child(Color.BLUE, 2, null, SUSPENDED),
            "end REACHED 2"),
        arguments(
            "patched and failed",
            idle(Change.PATCH).child(Color.BLUE, 2, null, FAILED),
            "parked JobFailed"),
        arguments(
            "resumed and suspended by somebody",
            idle(Change.RESUME).child(Color.BLUE, 2, null, SUSPENDED),
            "blocked Blocked"),
        arguments(
            "aborted after it was written",
            idle(Change.PATCH).child(Color.BLUE, 2, null, BUSY).aborting(),
            "end GIVEN_UP 2"),
        arguments(
            "reverted after it was given up: the child has it still",
            idle(Change.NONE)
                .givenUp()
                .generation(3, Change.NONE)
                .child(Color.BLUE, 2, null, READY),
            "apply blue in place"),
        arguments(
            "reverted after it was given up, and written",
            idle(Change.NONE)
                .givenUp()
                .generation(3, Change.NONE)
                .child(Color.BLUE, 3, null, READY),
            "end REACHED 3"),
        arguments(
            "reverted after it was given up: the child never had it",
            idle(Change.NONE).givenUp().generation(3, Change.NONE),
            "end REACHED 3"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"nothingUnderway", "inPlace"})
  void decides(String row, BlueGreenSight sight, String decision) {
    assertThat(sight.decision()).as(row).isEqualTo(decision);
  }
}
