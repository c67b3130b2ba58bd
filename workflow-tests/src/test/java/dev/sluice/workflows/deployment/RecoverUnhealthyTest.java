package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A job that runs but is unhealthy is replaced, as one that is lost. */
@Execution(ExecutionMode.CONCURRENT)
class RecoverUnhealthyTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 6);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void anUnhealthyJobIsCancelledAndGoesOnFromItsNewestCheckpointAlthoughItRuns() {
    environment.newest = new StateRef.Checkpoint("file:/checkpoints/job-of-6/chk-9");

    server.recover(RecoveryCause.UNHEALTHY, "the job restarted 65 times in 70 s");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.startedFrom).isEqualTo(environment.newest);
    assertThat(environment.calls).contains(Step.CANCEL_JOB.title());
    assertThat(environment.reports.get(0).event()).isEqualTo(EventReasons.RESTART_UNHEALTHY_JOB);
  }

  @Test
  void anUnhealthyJobWithoutACheckpointOfItsOwnIsStoppedWithASavepoint() {
    server.recover(RecoveryCause.UNHEALTHY, "the job has completed no checkpoint for 20 min");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.savepoints).isEqualTo(1);
  }

  @Test
  void anUnhealthyJobThatHasEndedMeanwhileIsLeftAlone() {
    environment.jobState = FlinkJobState.CANCELED;

    server.recover(RecoveryCause.UNHEALTHY, "the job restarted 65 times in 70 s");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.cluster).isEqualTo(6);
  }

  @Test
  void anUnhealthyJobIsNotCancelledForASpecThatKubernetesRefuses() {
    environment.problemAtFreeze = "serviceaccount flink not found";

    server.recover(RecoveryCause.UNHEALTHY, "the job restarted 65 times in 70 s");

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.INVALID_SPEC);
    assertThat(environment.calls).doesNotContain(Step.CANCEL_JOB.title());
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
  }
}
