package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Samples of the table of docs/operations.md on real parts: an operation is held before a step,
 * something is requested, and the step goes on. StoryTest has all of its rows.
 */
@Tag("e2e")
@OnTestCluster
class RequestsAtStepsIT {

  private Job job;
  private int specs;

  @BeforeEach
  void deploy(Scene scene) {
    job = scene.job("asked");
    job.deploy(newer());
  }

  @Test
  void anAbortAfterTheStopBringsTheOldSpecBackWithItsState(Scene scene) {
    // given
    String old = running();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = heldAt("DeleteCluster", newer());

      // when
      job.request("sluice.dev/abort", "abort");
      held.release();

      // then
      Resource back = awaitRolledBack();
      assertThat(running()).isEqualTo(old);
      upgrade.verifyRestored(back);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
      upgrade.verifyOneCluster(2);
    }
  }

  /**
   * A newer spec at each step of what has become one upgrade; three of them get a cluster, one of
   * which is deleted as soon as it is created.
   */
  @Test
  void theNewestSpecWinsAtEveryStepAndNoStateIsLost(Scene scene) {
    // given
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = heldAt("FreezeTarget", newer());

      // when
      for (String next :
          List.of(
              "StopWithSavepoint",
              "RecordState",
              "DeleteCluster",
              "CreateCluster",
              "AwaitRunning")) {
        Breakpoint then = job.hold(Moment.BEFORE, next);
        job.applyAndAwaitSignal(newer());
        held.release();
        job.awaitHeld(then);
        held = then;
      }
      job.applyAndAwaitSignal(newer());
      held.release();

      // then
      Resource ready = job.awaitReady();
      assertThat(running()).isEqualTo(newest());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      // of the old job, and of each new one that was up before a newer spec came
      upgrade.verifySavepointsBetween(1, 3);
      upgrade.verifyOneCluster(3, 4);
    }
  }

  private Breakpoint heldAt(String step, Manifest spec) {
    Breakpoint held = job.hold(Moment.BEFORE, step);
    job.apply(spec);
    job.awaitHeld(held);
    return held;
  }

  private Resource awaitRolledBack() {
    return job.await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
  }

  /** A spec that differs from all before. */
  private Manifest newer() {
    return job.manifest().config(Manifest.ROUND, Integer.toString(++specs));
  }

  /** The {@link Manifest#ROUND} of the newest spec. */
  private String newest() {
    return Integer.toString(specs);
  }

  /** The {@link Manifest#ROUND} of the spec that Flink really runs. */
  private String running() {
    return job.flink().configuration(Manifest.ROUND);
  }
}
