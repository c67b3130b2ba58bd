package dev.sluice.workflows.bluegreen;

import static dev.sluice.workflows.bluegreen.BlueGreenSight.BUSY;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.FAILED;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.HELD;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.READY;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.SAVEPOINT;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.cutOver;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.cutting;
import static dev.sluice.workflows.bluegreen.BlueGreenSight.idle;
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

/** Every row of what is decided about an exactly-once cut-over, until the new child is live. */
class CutOverPlannerTest {

  private static final Phase PREPARED = new Phase.Prepared();
  private static final Phase STOPPED = new Phase.Suspended(SAVEPOINT);
  private static final Phase LEFT_NOTHING = new Phase.Suspended(null);
  private static final long AT = 1;

  private static BlueGreenSight ahead() {
    return cutting(null, null);
  }

  private static BlueGreenSight stopping(Phase live) {
    return cutting(null, AT).stopping(Color.BLUE, live, false).cluster(null, PREPARED);
  }

  private static BlueGreenSight stopped() {
    return cutting(SAVEPOINT, AT).stopping(Color.BLUE, STOPPED, false);
  }

  static Stream<Arguments> beforeTheStop() {
    return Stream.of(
        arguments("wanted", idle(Change.TRANSITION).exactlyOnce(), "begin green SAVEPOINT"),
        arguments("begun", ahead(), "apply green"),
        arguments("the cluster starts", ahead().cluster(null, BUSY), "await green in time"),
        arguments("the cluster is held", ahead().cluster(null, HELD), "await green in time"),
        arguments("the cluster fails", ahead().cluster(null, FAILED), "give up JobFailed"),
        arguments(
            "the cluster takes too long",
            ahead().cluster(null, BUSY).overdue(),
            "give up TimedOut"),
        arguments("the cluster is there", ahead().cluster(null, PREPARED), "StopLive"),
        arguments(
            "the cluster is there, and the live job was stopped by somebody",
            ahead().cluster(null, PREPARED).stopping(Color.BLUE, STOPPED, false),
            "StopLive"),
        arguments("aborted", ahead().cluster(null, PREPARED).aborting(), "delete green"),
        arguments("aborted, the cluster is gone", ahead().aborting(), "end GIVEN_UP 2"),
        arguments(
            "aborted, the live child is gone: a cluster without a job keeps nothing",
            ahead().without(Color.BLUE).cluster(null, PREPARED).aborting(),
            "delete green"),
        arguments(
            "a newer spec",
            ahead().cluster(null, PREPARED).generation(3, Change.TRANSITION),
            "delete green"));
  }

  static Stream<Arguments> duringTheStop() {
    return Stream.of(
        arguments(
            "the live job ends by itself before it is stopped",
            ahead().cluster(null, PREPARED).stopping(Color.BLUE, Phase.Finished.untold(), true),
            "give up SavepointFailed"),
        arguments(
            "aborted, it had ended by itself: it does not begin anew",
            stopping(LEFT_NOTHING).aborting(),
            "delete green"),
        arguments("it is at it", stopping(BUSY), "StopLive"),
        arguments("it is stopped, and that is not noted", stopping(STOPPED), "StopLive"),
        arguments("its savepoint fails", stopping(HELD), "give up SavepointFailed"),
        arguments("it fails", stopping(FAILED), "give up SavepointFailed"),
        arguments("it has left nothing", stopping(LEFT_NOTHING), "give up SavepointFailed"),
        arguments("it takes too long", stopping(BUSY).overdue(), "give up TimedOut"),
        arguments(
            "it was noted and not told",
            stopping(BUSY).stopping(Color.BLUE, READY, true),
            "StopLive"),
        arguments(
            "it was noted and not told, and the cluster is not ready any more",
            stopping(BUSY).stopping(Color.BLUE, READY, true).cluster(null, BUSY),
            "await green in time"),
        arguments(
            "it was told, and the cluster is not ready any more",
            stopping(BUSY).cluster(null, BUSY),
            "StopLive"),
        arguments(
            "the same, of a job without state",
            stopping(BUSY).stopping(Color.BLUE, READY, true).statelessNoted(),
            "StopLive"),
        arguments(
            "it was told, and somebody has it run again",
            stopping(BUSY).stopping(Color.BLUE, READY, true).suspendedForIt(Source.SAVEPOINT),
            "give up Aborted"),
        arguments(
            "the same, and it comes up",
            stopping(BUSY).stopping(Color.BLUE, BUSY, true).suspendedForIt(Source.SAVEPOINT),
            "give up Aborted"),
        arguments(
            "the same, and the new cluster is gone",
            ahead().suspendedForIt(Source.SAVEPOINT),
            "give up Aborted"),
        arguments(
            "the same, of a job without state",
            stopping(BUSY).stopping(Color.BLUE, READY, true).suspendedForIt(Source.EMPTY),
            "give up Aborted"),
        arguments(
            "it was told, and has ended by itself",
            stopping(BUSY)
                .stopping(Color.BLUE, Phase.Finished.untold(), true)
                .suspendedForIt(Source.SAVEPOINT),
            "give up SavepointFailed"),
        arguments("aborted", stopping(BUSY).aborting(), "ResumeLive"),
        arguments(
            "aborted, it runs again",
            stopping(BUSY).stopping(Color.BLUE, READY, true).aborting(),
            "delete green"),
        arguments(
            "aborted, it comes up again",
            stopping(BUSY).stopping(Color.BLUE, BUSY, true).aborting(),
            "await blue in time"),
        arguments(
            "aborted, it does not come up again",
            stopping(BUSY).stopping(Color.BLUE, HELD, true).aborting().patient(),
            "delete green"),
        arguments("a newer spec", stopping(BUSY).generation(3, Change.TRANSITION), "ResumeLive"),
        arguments(
            "a newer spec that is not valid",
            stopping(BUSY).generation(3, Change.TRANSITION).problem(),
            "ResumeLive"));
  }

  static Stream<Arguments> afterTheStop() {
    return Stream.of(
        arguments(
            "the job is to be started", stopped().cluster(null, PREPARED), "apply green in place"),
        arguments(
            "also while the cluster settles",
            stopped().cluster(null, BUSY),
            "apply green in place"),
        arguments(
            "the job cannot be started for long",
            stopped().cluster(null, PREPARED).overdue(),
            "give up TimedOut"),
        arguments(
            "the live job has run on and stopped again",
            cutting("s3://older", AT).stopping(Color.BLUE, STOPPED, false).cluster(null, PREPARED),
            "give up Aborted"),
        arguments(
            "the live child settles, and is told to stay suspended",
            cutting(SAVEPOINT, AT).stopping(Color.BLUE, BUSY, false).cluster(SAVEPOINT, READY),
            "switch to green"),
        arguments("the cluster has failed", stopped().cluster(null, FAILED), "give up JobFailed"),
        arguments("the cluster is gone", stopped(), "apply green"),
        arguments(
            "the cluster is gone, and the live job runs again",
            cutting(SAVEPOINT, AT),
            "give up Aborted"),
        arguments(
            "the live job runs again",
            cutting(SAVEPOINT, AT).cluster(null, PREPARED),
            "give up Aborted"),
        arguments("both run", cutting(SAVEPOINT, AT).cluster(SAVEPOINT, READY), "give up Aborted"),
        arguments("the job starts", stopped().cluster(SAVEPOINT, BUSY), "await green in time"),
        arguments("the job is up", stopped().cluster(SAVEPOINT, READY), "switch to green"),
        arguments("the job fails", stopped().cluster(SAVEPOINT, FAILED), "give up JobFailed"),
        arguments(
            "the job takes too long",
            stopped().cluster(SAVEPOINT, BUSY).overdue(),
            "give up TimedOut"),
        arguments("a job from elsewhere", stopped().cluster("s3://old", READY), "delete green"),
        arguments(
            "aborted: the new job goes first",
            stopped().cluster(SAVEPOINT, READY).aborting(),
            "delete green"),
        arguments(
            "aborted: its cluster goes first, as a job may be on its way",
            stopped().cluster(null, PREPARED).aborting(),
            "delete green"),
        arguments("aborted: then the live job runs again", stopped().aborting(), "ResumeLive"),
        arguments(
            "aborted: it is waited for",
            stopped().stopping(Color.BLUE, BUSY, true).aborting(),
            "await blue in time"),
        arguments("aborted: all is as before", cutting(SAVEPOINT, AT).aborting(), "end GIVEN_UP 2"),
        arguments(
            "a newer spec, the job is up",
            stopped().cluster(SAVEPOINT, READY).generation(3, Change.TRANSITION),
            "switch to green"),
        arguments(
            "a newer spec, the job is not up",
            stopped().cluster(SAVEPOINT, BUSY).generation(3, Change.TRANSITION),
            "delete green"),
        arguments(
            "a newer spec, the new child is gone",
            stopped().generation(3, Change.TRANSITION),
            "ResumeLive"),
        arguments(
            "a newer spec, all is as before",
            cutting(SAVEPOINT, AT).generation(3, Change.TRANSITION),
            "end REPLACED 2"),
        arguments(
            "the spec before, all is as before",
            cutting(SAVEPOINT, AT).generation(3, Change.NONE),
            "end REACHED 3"),
        arguments(
            "the live child is gone, and the state is known",
            stopped().without(Color.BLUE),
            "apply green"),
        arguments(
            "the live child is gone for long: its job may have run again before that",
            stopped().without(Color.BLUE).overdue(),
            "parked StateNotFound, choose"),
        arguments(
            "the same, and the cluster has no job",
            stopped().without(Color.BLUE).cluster(null, PREPARED).overdue(),
            "parked StateNotFound, choose"),
        arguments(
            "the same, and the new job has the only state",
            stopped().without(Color.BLUE).cluster(SAVEPOINT, READY).overdue(),
            "switch to green"),
        arguments(
            "the live child is gone, and the cluster has no job",
            stopped().without(Color.BLUE).cluster(null, PREPARED),
            "apply green in place"));
  }

  static Stream<Arguments> afterTheSwitch() {
    return Stream.of(
        arguments(
            "the old child is kept", cutOver(READY).stopping(Color.BLUE, STOPPED, false), "Delay"),
        arguments("its job runs again", cutOver(READY), "suspend blue"),
        arguments(
            "it runs again while the new job restarts",
            cutOver(BUSY).stopping(Color.BLUE, BUSY, true),
            "suspend blue"),
        arguments(
            "it runs again before the Ingress is there",
            cutOver(READY).ingressElsewhere(),
            "suspend blue"),
        arguments("it runs again as the new job has failed", cutOver(FAILED), "Delay"),
        arguments("it runs again, and goes now", cutOver(READY).overdue(), "delete blue"),
        arguments(
            "it runs again, and the new job is not up", cutOver(BUSY).overdue(), "suspend blue"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"beforeTheStop", "duringTheStop", "afterTheStop", "afterTheSwitch"})
  void decides(String row, BlueGreenSight sight, String decision) {
    assertThat(sight.decision()).as(row).isEqualTo(decision);
  }
}
