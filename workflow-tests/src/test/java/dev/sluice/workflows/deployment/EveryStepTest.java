package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A wait that changes nothing is left at once: what it waits for does not come here. */
@Execution(ExecutionMode.CONCURRENT)
class EveryStepTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void heldAt(Step step) throws InterruptedException {
    if (step == Step.AWAIT_STABLE) {
      environment.stableAfter = new StableAfter(120_000);
    }
    environment.gate.hold(step);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
  }

  @ParameterizedTest
  @EnumSource(names = {"AWAIT_JOB_MANAGER", "AWAIT_RUNNING", "AWAIT_STABLE"})
  void abort(Step step) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.ABORT, "enough");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(6);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
  }

  @ParameterizedTest
  @CsvSource({
    "AWAIT_JOB_MANAGER,   1",
    "AWAIT_RUNNING,       1",
    "AWAIT_STABLE,        2",
  })
  void newerGeneration(Step step, int savepoints) throws Exception {
    heldAt(step);

    environment.generation = 8;
    server.signalWithStart("Upgrade", 8);

    assertThat(server.outcome()).extracting(OperationResult::generation).isEqualTo(8L);
    assertThat(environment.cluster).isEqualTo(8);
    assertThat(environment.stable).isEqualTo(8);
    assertThat(environment.savepoints).isEqualTo(savepoints);
  }

  @ParameterizedTest
  @EnumSource(names = {"AWAIT_JOB_MANAGER", "AWAIT_RUNNING", "AWAIT_STABLE"})
  void deletion(Step step) throws Exception {
    heldAt(step);

    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.cluster).isNull();
  }
}
