package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Launcher;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SessionJob;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command of the documentation does what its page says it does, or {@link NotRunHere} says
 * why it is not tried. The pages speak of a FlinkDeployment {@code orders} in the default
 * namespace, and of the FlinkStateSnapshot that one of them begins with.
 */
@Tag("docs")
@Isolated("a command may be about all that is there")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DocumentedCommandsIT {

  private Launcher sluice;
  private Job orders;
  private SessionJob refused;

  static Stream<DocumentedCommand> commands() {
    return Documentation.commands().stream()
        .filter(command -> Arrays.stream(NotRunHere.values()).noneMatch(it -> it.matches(command)));
  }

  @BeforeAll
  void deployOrders(Scene scene) {
    sluice = Launcher.of(scene.cluster());
    orders = new Job(scene.cluster(), "default", "orders");
    orders.deploy(orders.manifest());
    String unused =
        scene.cluster().kubectl().apply(Documentation.page("docs/snapshots.md").firstYaml());
    // an application runs no other job, but it can be listed
    refused = new SessionJob(scene.cluster(), orders, "clicks");
    refused.apply(refused.manifest());
  }

  @AfterAll
  void removeOrders() {
    refused.delete();
    wentWell(sluice.run("kubectl delete flinksnp before-the-change"));
    orders.discard();
  }

  @ParameterizedTest(name = "{0}")
  @Order(1)
  @MethodSource("commands")
  void works(DocumentedCommand command) {
    if (command.text().matches("\\./sluice logs .*-f.*")) {
      assertThat(sluice.follow(command.text())).isNotBlank();
      return;
    }
    Launcher.Outcome outcome = sluice.run(command.text());

    wentWell(outcome);
  }

  /** In place of {@code kubectl rollout}; each needs what the one before it has done. */
  @Test
  @Order(2)
  void theRolloutCommandsWorkInTheirOrder() {
    wentWell(sluice.run(documented(NotRunHere.RESTART)));
    wentWell(sluice.run("kubectl wait flinkdep orders --for=condition=Ready --timeout=10m"));
    assertThat(orders.get().operation()).isEqualTo("Upgrade Succeeded MarkStable");
    long restarted = orders.get().generation();

    Launcher.Outcome history = sluice.run(documented(NotRunHere.HISTORY));
    wentWell(history);
    assertThat(history.out()).contains("orders-" + orders.get().uid().substring(0, 8) + "-");

    wentWell(sluice.run(documented(NotRunHere.ROLL_BACK)));
    Resource back =
        orders.await("rolled back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
    assertThat(back.operation()).isEqualTo("Rollback Succeeded MarkStable");
    assertThat(back.generation()).isEqualTo(restarted);
  }

  private static String documented(NotRunHere command) {
    return Documentation.commands().stream()
        .filter(command::matches)
        .map(DocumentedCommand::text)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no page has " + command));
  }

  private static void wentWell(Launcher.Outcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
    assertThat(outcome.err()).doesNotContainIgnoringCase("error").doesNotContain("No resources");
  }
}
