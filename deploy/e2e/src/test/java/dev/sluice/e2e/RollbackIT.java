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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("e2e")
@OnTestCluster
class RollbackIT {

  private static final String ENABLED = "kubernetes.operator.deployment.rollback.enabled";

  /** Apache's operator takes no savepoint of the job that is given up, and knows no way back. */
  @Test
  void aRedeploymentFromAnOlderSavepointCanBeTakenBack(Scene scene) {
    // given
    Job job = scene.deployed("again");
    Manifest first = job.applied().config("e2e.version", "1");
    String older = job.deploy(first).status("/operation/savepoint");
    List<Path> before = job.savepoints();

    // when
    Resource redeployed = job.deploy(first.redeployedFrom(1, older));

    // then
    List<Path> kept = new ArrayList<>(job.savepoints());
    kept.removeAll(before);
    assertThat(kept).as("savepoints that were taken to go back to").hasSize(1);
    assertThat(redeployed.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(job.flink().restored()).isEqualTo(older);

    // when
    job.annotate("sluice.dev/rollback", "the older savepoint was wrong, too");

    // then
    job.await("rolled back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
    assertThat(job.flink().restored()).endsWith("/" + kept.get(0).getFileName());
    assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();
  }

  /**
   * FLINK-33107: a rollback of Apache's operator took the wrong upgrade mode and lost the state.
   */
  @Test
  void anUpgradeToAJobThatFailsIsRolledBackByItself(Scene scene) {
    // given
    Job job = scene.deployed("selfhelp");
    Manifest first = job.applied();
    int savepoints = job.savepoints().size();

    // when
    job.apply(first.config(ENABLED, "true").args("--no-such-option"));

    // then
    Resource back =
        job.await("rolled back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
    assertThat(back.condition("Stalled")).isEqualTo("True Aborted");
    assertThat(back.message("Stalled")).contains("did not come up (JobFailed");
    assertThat(job.savepoints()).hasSize(savepoints + 1);
    assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();
  }

  @Test
  void anAbortAfterTheStopBringsTheOldSpecBackWithItsState(Scene scene) {
    // given
    Job job = scene.job("asked");
    job.deploy(job.manifest().config(Manifest.ROUND, "1"));
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = job.hold(Moment.BEFORE, "DeleteCluster");
      job.apply(job.applied().config(Manifest.ROUND, "2"));
      job.awaitHeld(held);

      // when
      job.request("sluice.dev/abort", "abort");
      held.release();

      // then
      Resource back =
          job.await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(job.flink().configuration(Manifest.ROUND)).isEqualTo("1");
      upgrade.verifyRestored(back);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
      upgrade.verifyOneCluster(2);
    }
  }
}
