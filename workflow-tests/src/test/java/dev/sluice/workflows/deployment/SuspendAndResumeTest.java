package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a suspension keeps, and what a resume and a deletion make of it. */
@Execution(ExecutionMode.CONCURRENT)
class SuspendAndResumeTest {

  private FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private OperationTestServer server;

  private void suspending() {
    environment.suspended.add(7L);
    server = new OperationTestServer(environment);
  }

  private void resuming() {
    environment = FakeEnvironment.suspended(6, 7);
    server = new OperationTestServer(environment);
  }

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  /** W2, FLINK-40164: in Apache's operator such a suspension stays UPGRADING for ever. */
  @Test
  void aSuspensionThatCancelsTheJobEnds() throws Exception {
    suspending();
    environment.mode = UpgradeMode.LAST_STATE;
    environment.newest = new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-4");

    server.signalWithStart("Suspend", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.SUSPENDED);
    assertThat(environment.calls).contains("CancelJob").doesNotContain("StopWithSavepoint");
    assertThat(environment.recorded.state()).isEqualTo(environment.newest);
    assertThat(environment.cluster).isNull();
  }

  @Test
  void resumeStatelessStartsEmpty() throws Exception {
    resuming();
    environment.mode = UpgradeMode.STATELESS;

    server.signalWithStart("Resume", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RESUMED);
    assertThat(environment.startedFrom).isInstanceOf(StateRef.Empty.class);
  }

  @Test
  void aDeletionOfASuspendedJobNamesItsState() throws Exception {
    resuming();

    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("savepoint-of-suspended");
  }
}
