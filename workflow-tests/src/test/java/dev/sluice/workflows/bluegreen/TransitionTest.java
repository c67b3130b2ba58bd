package dev.sluice.workflows.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ModelSpec.Options;
import dev.sluice.workflows.bluegreen.ModelSpec.Works;
import dev.sluice.workflows.operation.OperationProgress;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a transition does at its turning points. */
class TransitionTest extends TransitionRig {

  @Test
  void theOldChildGoesOnceTheNewOneIsLive() {
    model.deployed();
    model.change(NEXT);

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(model.children).containsOnlyKeys(Color.GREEN);
    assertThat(model.steps)
        .containsSubsequence(
            "BeginTransition",
            "TakeTransitionSavepoint",
            "ApplyChild",
            "AwaitChild",
            "SwitchLive",
            "AwaitIngress",
            "DeleteChild",
            "EndTransition");
    assertThat(model.lastMessage()).isEqualTo("orders-green is live with generation 2");
  }

  /** Apache's pull request #1071: a trigger id of an earlier transition was used again. */
  @Test
  void eachTransitionTakesASavepointOfItsOwn() {
    model.deployed();
    model.change(NEXT.works(Works.FAILS));
    lane.untilRest();
    assertThat(model.operation()).isEqualTo(OperationState.FAILED);

    model.change(NEXT.image(3));
    lane.untilRest();

    assertThat(model.savepoints).hasSize(2);
    assertThat(model.standing.live()).isEqualTo(Color.GREEN);
  }

  /** Apache's pull request #1072. */
  @Test
  void aTransitionThatFailsReachesNoSpec() {
    model.deployed();
    ModelSpec before = model.reachedSpec;
    model.change(NEXT.works(Works.FAILS));

    lane.untilRest();

    assertThat(model.reachedSpec).isSameAs(before);
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(Objects.requireNonNull(model.children.get(Color.GREEN)).spec.running()).isFalse();
    assertThat(model.lastMessage()).contains("Generation 2 is given up", "its job has failed");
  }

  /** FLINK-40119: the time of an earlier transition ended the delay of the next one at once. */
  @Test
  void theDelayCountsFromThisSwitch() {
    model.deployed();
    model.change(NEXT.with(Options.USUAL.delayed()));
    lane.untilRest();
    long[] switched = new long[1];
    long[] deleted = new long[1];
    model.script =
        (call, step, after) -> {
          if (step.equals("SwitchLive")) {
            switched[0] = lane.temporal().now();
          } else if (step.equals("DeleteChild")) {
            deleted[0] = lane.temporal().now();
          }
        };

    model.change(model.newest().image(3));
    lane.untilRest();

    assertThat(deleted[0] - switched[0]).isGreaterThanOrEqualTo(20_000);
    assertThat(model.standing.live()).isEqualTo(Color.BLUE);
  }

  /** FLINK-40092: the old child was deleted, and the status went back to it. */
  @Test
  void theOldChildStaysWhileTheNewOneIsLiveAndNotReady() {
    model.deployed();
    model.change(NEXT);
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitIngress") && after) {
            model.surprised = true;
            Objects.requireNonNull(model.liveChild()).broken = new Phase.Failed("out of memory");
          }
        };

    lane.untilRest();

    lane.temporal().settle();
    OperationProgress progress = Objects.requireNonNull(lane.progress());
    assertThat(Objects.requireNonNull(progress.held()).message())
        .isEqualTo(
            "orders-green is live and not ready: it has failed: out of memory. orders-blue is kept; an abort goes back to it.");
    assertThat(model.children).containsKeys(Color.BLUE, Color.GREEN);
    lane.abort();
    lane.untilRest();
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.operation()).isEqualTo(OperationState.ABORTED);
  }

  @Test
  void anAbortDuringTheDelayGoesBack() {
    model.deployed();
    model.change(NEXT.with(Options.USUAL.delayed()));
    model.script =
        (call, step, after) -> {
          if (step.equals("ReportBlueGreen") && model.lastMessage().contains("keeping")) {
            lane.abort();
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.live).hasSize(3).startsWith("uid1").endsWith("uid1");
    assertThat(model.lastMessage())
        .isEqualTo("Generation 2 is given up: enough; orders-blue is live as before");
  }

  @Test
  void anAbortThatComesWhileTheOldChildGoesIsTooLate() {
    model.deployed();
    model.change(NEXT);
    model.script =
        (call, step, after) -> {
          if (step.equals("DeleteChild") && after) {
            lane.abort();
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(model.reports)
        .anyMatch(it -> it.message().startsWith("Too late to abort: orders-green is live"));
  }

  @Test
  void aNewerSpecBeginsTheTransitionAgainWithAFreshSavepoint() {
    model.deployed();
    model.change(NEXT);
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitChild") && model.generation == 2) {
            lane.change(NEXT.image(3));
          }
        };

    lane.untilRest();

    assertThat(model.savepoints).hasSize(2);
    assertThat(Objects.requireNonNull(model.liveChild()).spec.image()).isEqualTo(3);
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 3, 0));
  }

  /** Such as a longer grace period, in the middle of it. */
  @Test
  void aNewerSpecThatNoChildWouldSeeLetsTheTransitionGoOn() {
    model.deployed();
    model.change(NEXT);
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeTransitionSavepoint") && !after && model.generation == 2
              || step.equals("AwaitChild") && model.generation == 3) {
            lane.change(NEXT.with(model.newest().options().patient()));
          }
        };

    lane.untilRest();

    assertThat(model.generation).isEqualTo(4);
    assertThat(count("BeginTransition")).isEqualTo(1);
    assertThat(model.savepoints).hasSize(1);
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 4, 0));
    assertThat(model.operation()).isEqualTo(OperationState.SUCCEEDED);
  }

  @Test
  void whatIsAbortedWithANewerSpecThatNoChildWouldSeeIsNotBegunAgain() {
    model.deployed();
    model.change(NEXT);
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitChild") && model.generation == 2) {
            lane.change(NEXT.with(Options.USUAL.patient()));
            lane.abort();
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 3));
    assertThat(count("BeginTransition")).isEqualTo(1);
  }

  @Test
  void whatWasGivenUpIsTriedAgainByRetry() {
    model.deployed();
    model.change(NEXT.works(Works.FAILS));
    lane.untilRest();
    assertThat(model.standing.givenUp()).isEqualTo(2);

    model.specs.put(2L, NEXT);
    lane.retry();
    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
  }

  @Test
  void aLiveChildThatIsGoneIsReplacedOnlyFromWhatAPersonNames() {
    model.deployed();
    model.children.clear();
    model.change(NEXT);

    lane.untilRest();
    assertThat(model.operation()).isEqualTo(OperationState.PARKED);
    assertThat(model.steps).doesNotContain("BeginTransition");

    lane.temporal().settle();
    model.restoreFrom = "s3://mine";
    lane.retry();
    lane.untilRest();
    assertThat(Objects.requireNonNull(model.liveChild()).startsFrom).isEqualTo("s3://mine");
  }

  @Test
  void aLiveChildWhoseStateIsGivenUpIsReplacedWithoutState() {
    model.deployed();
    model.children.clear();
    model.change(NEXT);
    lane.untilRest();

    lane.temporal().settle();
    model.restoreFrom = "empty";
    lane.retry();
    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(Objects.requireNonNull(model.liveChild()).startsFrom).isNull();
  }

  @Test
  void aChangeInPlaceThatWasGivenUpIsTakenBackWhenItIsReverted() {
    model.deployed();
    model.change(ModelSpec.FIRST.patched());
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitChild") && model.generation == 2) {
            lane.abort();
          }
        };
    lane.untilRest();
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(Objects.requireNonNull(model.liveChild()).spec.patch()).isEqualTo(2);

    model.change(ModelSpec.FIRST);
    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 3, 0));
    assertThat(Objects.requireNonNull(model.liveChild()).spec).isEqualTo(ModelSpec.FIRST);
  }

  @Test
  void aDeletionEndsWithWhatIsLeft() {
    model.deployed();
    model.neverGone = true;

    lane.delete();
    lane.untilRest();

    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage())
        .isEqualTo("Children are left, which Kubernetes removes: orders-blue: its pods stay");
  }
}
