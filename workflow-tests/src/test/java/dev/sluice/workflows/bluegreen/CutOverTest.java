package dev.sluice.workflows.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.bluegreen.ModelSpec.Options;
import dev.sluice.workflows.bluegreen.ModelSpec.Works;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What an exactly-once cut-over does at its turning points. */
class CutOverTest extends TransitionRig {

  private static final Options CUT = Options.USUAL.exactlyOnce();

  /** What the job of that child has processed. */
  private long records(Color color) {
    return Objects.requireNonNull(model.children.get(color)).records;
  }

  @Test
  void theLiveJobIsStoppedWhenTheNewClusterIsThereAndTheNewOneStartsFromThat() {
    model.deployed();
    model.change(NEXT.with(CUT));

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(model.children).containsOnlyKeys(Color.GREEN);
    assertThat(model.steps)
        .doesNotContain("TakeTransitionSavepoint", "ResumeLive")
        .containsSubsequence(
            "BeginTransition",
            "ApplyChild",
            "AwaitChild",
            "StopLive",
            "ApplyChild",
            "AwaitChild",
            "SwitchLive",
            "AwaitIngress",
            "DeleteChild",
            "EndTransition");
  }

  @Test
  void aNewClusterThatDoesNotComeUpIsNeverNoticedByTheLiveJob() {
    model.deployed();
    model.change(NEXT.with(CUT));
    model.script =
        (call, step, after) -> {
          if (step.equals("AwaitChild") && !after) {
            Objects.requireNonNull(model.children.get(Color.GREEN)).broken =
                new ChildSeen.Phase.Failed("no such image");
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.children).containsOnlyKeys(Color.BLUE);
    assertThat(model.steps).doesNotContain("StopLive");
    assertThat(model.lastMessage()).endsWith("orders-blue is live as before");
  }

  @Test
  void aNewJobThatFailsIsGoneBeforeTheOldOneGoesOnFromWhereItStopped() {
    model.deployed();
    model.change(NEXT.works(Works.FAILS).with(CUT));
    long[] stopped = new long[1];
    model.script =
        (call, step, after) -> {
          if (step.equals("StopLive") && after) {
            stopped[0] = records(Color.BLUE);
          } else if (step.equals("ResumeLive") && !after) {
            assertThat(model.children).containsOnlyKeys(Color.BLUE);
            assertThat(records(Color.BLUE)).isEqualTo(stopped[0]);
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.steps).containsSubsequence("StopLive", "DeleteChild", "ResumeLive");
    assertThat(model.operation()).isEqualTo(OperationState.FAILED);
    assertThat(model.lastMessage()).contains("its job went on from left-uid1-");
  }

  @Test
  void aSavepointThatFailsLeavesTheLiveJobRunning() {
    model.deployed();
    model.savepointFails = "the directory refuses";
    model.change(NEXT.with(CUT));

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.children).containsOnlyKeys(Color.BLUE);
    assertThat(model.lastMessage()).contains("the directory refuses", "its job went on");
  }

  @Test
  void aLiveJobThatAPersonResumesBeforeItHasStoppedEndsTheTransition() {
    model.deployed();
    model.change(NEXT.with(CUT));
    model.script =
        (call, step, after) -> {
          if (step.equals("StopLive") && after && !model.meddled) {
            model.meddled = true;
            Objects.requireNonNull(model.children.get(Color.BLUE)).resume();
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(model.steps).containsOnlyOnce("StopLive").doesNotContain("ResumeLive");
    assertThat(model.lastMessage()).contains("the job of orders-blue runs again");
  }

  @Test
  void anAbortAfterTheSwitchIsTooLate() {
    model.deployed();
    model.change(NEXT.with(CUT.delayed()));
    model.script =
        (call, step, after) -> {
          if (step.equals("ReportBlueGreen") && model.lastMessage().contains("keeping")) {
            lane.abort();
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(model.reports)
        .extracting(it -> it.message())
        .anyMatch(it -> it.contains("Too late to abort: orders-green is live, and the job of"))
        .anyMatch(it -> it.contains("keeping orders-blue"))
        .noneMatch(it -> it.contains("an abort goes back"));
  }

  @Test
  void anOldJobThatRunsAgainDuringTheDelayIsSuspended() {
    model.deployed();
    model.change(NEXT.with(CUT.delayed()));
    boolean[] resumed = new boolean[1];
    model.script =
        (call, step, after) -> {
          ModelChild blue = model.children.get(Color.BLUE);
          if (step.equals("ReportBlueGreen")
              && after
              && !resumed[0]
              && model.lastMessage().contains("keeping")) {
            resumed[0] = true;
            model.meddled = true;
            Objects.requireNonNull(blue).resume();
          } else if (step.equals("DeleteChild") && !after) {
            assertThat(Objects.requireNonNull(blue).spec.running()).isFalse();
          }
        };

    lane.untilRest();

    assertThat(resumed[0]).isTrue();
    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
    assertThat(model.steps).containsSubsequence("SwitchLive", "SuspendChild", "DeleteChild");
  }

  @Test
  void aNewerSpecAfterTheStopGoesBackFirst() {
    model.deployed();
    model.change(NEXT.works(Works.NEVER).with(CUT));
    model.script =
        (call, step, after) -> {
          if (step.equals("StopLive") && after && model.generation == 2) {
            lane.change(NEXT.image(3).with(CUT));
          }
        };

    lane.untilRest();

    assertThat(model.standing).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 3, 0));
    assertThat(model.steps)
        .containsSubsequence(
            "StopLive", "ResumeLive", "EndTransition", "BeginTransition", "StopLive");
  }
}
