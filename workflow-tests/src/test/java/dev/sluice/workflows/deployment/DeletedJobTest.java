package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Whether Flink removes the metadata of a deleted job by itself, so that its JobManager is left
 * alone for that: only a job that Flink has ended.
 */
class DeletedJobTest {

  private final FakeEnvironment environment = FakeEnvironment.running(7, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void aJobThatWasCancelledIsNamed() {
    server.delete();

    assertThat(endedJob()).isEqualTo("job-of-7");
  }

  @Test
  void aJobThatCouldNotBeCancelledIsNotWaitedFor() {
    given_every_step_fails(Step.CANCEL_JOB);

    server.delete();

    assertThat(endedJob()).isNull();
  }

  @Test
  void aJobThatWasStoppedWithASavepointIsNamed() {
    environment.deletionSavepointMs = 600_000;

    server.delete();

    assertThat(endedJob()).isEqualTo("job-of-7");
  }

  @Test
  void aJobThatIsCancelledInsteadOfASavepointIsNamed() {
    environment.deletionSavepointMs = 600_000;
    given_every_step_fails(Step.STOP_WITH_SAVEPOINT);

    server.delete();

    assertThat(endedJob()).isEqualTo("job-of-7");
  }

  @Test
  void aJobThatCouldNeitherBeStoppedNorCancelledIsNotWaitedFor() {
    environment.deletionSavepointMs = 600_000;
    given_every_step_fails(Step.STOP_WITH_SAVEPOINT);
    given_every_step_fails(Step.CANCEL_JOB);

    server.delete();

    assertThat(endedJob()).isNull();
  }

  private void given_every_step_fails(Step step) {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(step, failure(FailureType.REFUSED, "no slot is left for that"));
    }
  }

  private @Nullable String endedJob() {
    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    return environment.deleted.endedJob();
  }
}
