package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.operation.OperationResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A new default configuration comes to one worker before it comes to another. */
class UnequalWorkersTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void aProblemThatOnlyTheWorkerThatFreezesSeesMayPass() {
    environment.problemAtFreeze = "spec.flinkConfiguration.rest.port: must be a port";
    server.signalWithStart("Upgrade", 7);
    await().until(() -> !environment.reports.isEmpty());

    environment.problemAtFreeze = null;

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.reports)
        .extracting(OperationReport::state)
        .contains(OperationState.BLOCKED)
        .doesNotContain(OperationState.PARKED);
  }
}
