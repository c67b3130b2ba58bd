package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.cluster.Launcher;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.docs.Documentation;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("e2e")
@OnTestCluster
class RollbackIT {

  private static final String ENABLED = "kubernetes.operator.deployment.rollback.enabled";

  @Test
  void aSpecThatWasUpgradedLongAgoIsGoneBackTo(Scene scene) {
    // given
    Job job = scene.deployed("regret");
    // what runs: the job may be from a test whose last changes were none that are deployed
    String oldest = job.get().status("/operation/targetGeneration");
    String versionOfOldest = job.applied().flinkConfiguration("e2e.version");
    Manifest first = job.applied().config("e2e.version", "1");
    job.deploy(first);
    Resource upgraded = job.deploy(first.config("e2e.version", "2"));
    String before = upgraded.status("/operation/savepoint");
    assertThat(
            scene
                .cluster()
                .kubectl()
                .run(
                    "get",
                    "controllerrevisions",
                    "-n",
                    job.namespace(),
                    "-l",
                    "sluice.dev/name=" + job.name()))
        .contains(job.name() + "-" + upgraded.uid().substring(0, 8) + "-");

    // when
    job.annotate("sluice.dev/rollback", "wrong totals");

    // then
    Resource back =
        job.await("rolled back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
    assertThat(back.operation()).isEqualTo("Rollback Succeeded MarkStable");
    assertThat(job.flink().configuration("e2e.version")).isEqualTo("1");
    assertThat(job.flink().restored()).isEqualTo(before);
    assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();

    // and when
    List<Path> savepoints = job.savepoints();
    String undo =
        Documentation.command("sluice.dev/rollback-to=")
            .replace(" orders ", " %s -n %s ".formatted(job.name(), job.namespace()))
            .replaceAll("rollback-to=\\d+", "rollback-to=" + oldest);
    Launcher.Outcome outcome =
        Launcher.of(scene.cluster()).run(undo + " sluice.dev/rollback-state=newest");
    assertThat(outcome.exitCode()).as(undo + ": " + outcome).isZero();

    // then
    job.await(
        "rolled back to generation " + oldest,
        it ->
            it.operation().equals("Rollback Succeeded MarkStable")
                && it.status("/operation/targetGeneration").equals(oldest));
    assertThat(job.flink().configuration("e2e.version")).isEqualTo(versionOfOldest);
    List<Path> taken = new ArrayList<>(job.savepoints());
    taken.removeAll(savepoints);
    assertThat(taken).as("the newest state").hasSize(1);
    assertThat(job.flink().restored()).endsWith("/" + taken.get(0).getFileName());
    assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();
  }

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

  /** It worked, and what it wrote is given up with it. */
  @Test
  void aJobThatCameUpAndFailsBeforeItIsStableIsRolledBackByItself(Scene scene) throws IOException {
    // given
    Job job = scene.deployed("proving");
    Manifest first = job.applied();
    int savepoints = job.savepoints().size();
    Path broken = job.state().resolve("broken");
    job.annotate("sluice.dev/stable-after", "5s");
    Breakpoint waiting = job.hold(Breakpoint.Moment.BEFORE, "AwaitStable");

    // when
    job.apply(
        first
            .config(ENABLED, "true")
            .config("restart-strategy.type", "none")
            .plusArgs("--fail-while-file", broken.toString()));
    job.awaitHeld(waiting);
    Resource up = job.get();
    Files.createFile(broken);
    job.await("failed", it -> it.status("/jobStatus/state").equals("FAILED"));
    waiting.release();

    // then
    assertThat(up.operation()).isEqualTo("Upgrade Running AwaitStable");
    assertThat(up.status("/reconciliationStatus/state")).isEqualTo("UPGRADING");
    assertThat(up.condition("Ready")).startsWith("False");
    Resource back =
        job.await("rolled back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
    assertThat(back.condition("Stalled")).isEqualTo("True Aborted");
    assertThat(back.message("Stalled")).contains("did not come up (JobFailed");
    assertThat(job.savepoints()).hasSize(savepoints + 1);
    assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();
  }
}
