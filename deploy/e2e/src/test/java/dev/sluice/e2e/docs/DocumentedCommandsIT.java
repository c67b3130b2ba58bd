package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Launcher;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Resource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands in place of {@code kubectl rollout} of docs/operations.md, in their order. */
@Tag("docs")
@OnTestCluster
class DocumentedCommandsIT {

  @Test
  void theRolloutCommandsWorkInTheirOrder(Scene scene) {
    // given
    Job orders = scene.deployed("orders");

    // when
    run(scene, "restartNonce");
    run(scene, "kubectl wait flinkdep orders --for=condition=Ready");

    // then
    Resource restarted = orders.awaitReady();
    assertThat(restarted.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(run(scene, "kubectl get controllerrevisions"))
        .contains("orders-" + restarted.uid().substring(0, 8) + "-");

    // when
    run(scene, "sluice.dev/rollback=");

    // then
    Resource back =
        orders.await("rolled back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
    assertThat(back.operation()).isEqualTo("Rollback Succeeded MarkStable");
    assertThat(back.generation()).isEqualTo(restarted.generation());
  }

  /** The first command of the pages that has this in it, in the namespace of the test. */
  private static String run(Scene scene, String part) {
    String command = Documentation.command(part) + " -n " + scene.namespace();
    Launcher.Outcome outcome = Launcher.of(scene.cluster()).run(command);
    assertThat(outcome.exitCode()).as(command + ": " + outcome).isZero();
    assertThat(outcome.err()).doesNotContainIgnoringCase("error").doesNotContain("No resources");
    return outcome.out();
  }
}
