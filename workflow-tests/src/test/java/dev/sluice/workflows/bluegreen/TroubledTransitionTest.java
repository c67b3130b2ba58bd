package dev.sluice.workflows.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ModelSpec.Options;
import dev.sluice.workflows.bluegreen.ModelSpec.Works;
import dev.sluice.workflows.operation.LaneSignals;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a transition does where a child does not do what it is told to. */
class TroubledTransitionTest extends TransitionRig {

  @Test
  void aChildThatIsGivenUpIsAwaitedUntilItIsSuspended() {
    model.deployed();
    model.change(NEXT.works(Works.FAILS));

    lane.untilRest();

    assertThat(model.steps).containsSubsequence("SuspendChild", "AwaitChild", "EndTransition");
    assertThat(Objects.requireNonNull(model.children.get(Color.GREEN)).phase())
        .isInstanceOf(Phase.Suspended.class);
  }

  @Test
  void aChildThatIsGivenUpAndDoesNotSuspendIsTold() {
    model.deployed();
    model.change(NEXT.works(Works.FAILS));
    model.script =
        (call, step, after) -> {
          if (step.equals("SuspendChild") && after) {
            ModelChild green = Objects.requireNonNull(model.children.get(Color.GREEN));
            green.broken = new Phase.Held("no savepoint");
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.lastMessage())
        .contains("orders-green is told to suspend its job: it is held: no savepoint");
  }

  @Test
  void aChildThatRunsBesideTheLiveOneIsSuspended() {
    model.deployed();
    model.children.put(Color.GREEN, model.child(Color.GREEN, NEXT, "savepoint-of-old", 7));
    model.change(ModelSpec.FIRST);

    lane.untilRest();

    assertThat(Objects.requireNonNull(model.children.get(Color.GREEN)).phase())
        .isInstanceOf(Phase.Suspended.class);
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 2, 0));
  }

  @Test
  void aJobThatRestartsAfterItsGatesHasToPassThemAgain() {
    model.deployed();
    model.change(NEXT.with(Options.USUAL.asGated()));
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitGates") && after && count("AwaitGates") == 1) {
            Objects.requireNonNull(model.children.get(Color.GREEN)).busy = 1;
          }
        };

    lane.untilRest();

    assertThat(count("AwaitGates")).isEqualTo(2);
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
  }

  @Test
  void gatesThatAreNotPassedAreNotAwaitedAgainAtOnceThoughARetryWasRequested() {
    model.deployed();
    model.change(NEXT.with(Options.USUAL.asGated()).works(Works.NOT_THROUGH_GATES));
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitGates") && after) {
            lane.temporal().signal(LaneSignals.RETRY);
          }
        };

    lane.untilRest();

    assertThat(model.lastMessage()).contains("The grace period of 4 s is over");
    assertThat(count("AwaitGates")).isBetween(3L, 10L);
  }

  @Test
  void whoGoesOnAfterAWayBackSaysThatItWentBack() {
    model.deployed();
    model.change(NEXT);
    ModelChild green = model.child(Color.GREEN, NEXT, "savepoint", 7);
    green.suspend();
    model.children.put(Color.GREEN, green);
    model.standing =
        new BlueGreenStanding(
            Color.BLUE, new Begun(Color.GREEN, 2, 0, Source.SAVEPOINT, "savepoint", 1L), 1, 0);

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.operation()).isEqualTo(OperationState.ABORTED);
    assertThat(model.lastMessage())
        .isEqualTo("Generation 2 is given up: it went back; orders-blue is live as before");
  }

  @Test
  void theGracePeriodEndsATransitionWhoseChildCannotBeWritten() {
    model.deployed();
    model.change(NEXT);
    model.script =
        (call, step, after) -> {
          if (step.equals("ApplyChild") && !after) {
            throw ApplicationFailure.newNonRetryableFailure("no quota", "ConflictingWrite");
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.lastMessage()).contains("The grace period of 4 s is over");
  }

  @Test
  void theOnlyChildThatIsLeftTakesANewerSpecOver() {
    model.deployed();
    model.change(NEXT.works(Works.FAILS));
    model.script =
        (call, step, after) -> {
          if (step.equals("ApplyChild") && after && model.generation == 2) {
            model.surprised = true;
            model.children.remove(Color.BLUE);
            lane.change(NEXT.image(3));
          }
        };

    lane.untilRest();

    ModelChild green = Objects.requireNonNull(model.liveChild());
    assertThat(green.uid).isEqualTo("uid2");
    assertThat(green.spec.image()).isEqualTo(3);
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 3, 0));
  }

  @Test
  void twoChildrenOfWhichNoneComesUpEndTheTransition() {
    model.deployed();
    model.change(NEXT);
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitIngress") && after && model.generation == 2) {
            model.surprised = true;
            model.meddled = true;
            Objects.requireNonNull(model.liveChild()).broken = new Phase.Failed("out of memory");
            Objects.requireNonNull(model.children.get(Color.BLUE)).suspend();
          }
        };
    lane.untilRest();
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 1, 2));
    assertThat(model.lastMessage()).contains("sluice.dev/restore-from=left-uid1-");

    model.script = (call, step, after) -> {};
    model.restoreFrom = "s3://mine";
    lane.retry();
    lane.untilRest();

    assertThat(Objects.requireNonNull(model.liveChild()).startsFrom).isEqualTo("s3://mine");
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 2, 0));
  }

  @Test
  void aRedeployThatComesWithASuspensionIsNotLost() {
    model.deployed();
    model.change(ModelSpec.FIRST.redeployed().running(false));
    lane.untilRest();
    ModelChild green = Objects.requireNonNull(model.liveChild());
    assertThat(green.phase()).isEqualTo(new Phase.Suspended(null));
    assertThat(model.children).containsOnlyKeys(Color.GREEN);

    model.change(NEXT.redeployed());
    lane.untilRest();

    assertThat(model.savepoints).isEmpty();
    assertThat(Objects.requireNonNull(model.liveChild()).uid).isEqualTo(green.uid);
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 3, 0));
  }
}
