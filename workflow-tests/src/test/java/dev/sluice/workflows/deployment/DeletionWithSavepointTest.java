package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code kubernetes.operator.job.savepoint-on-deletion}. W5: in Apache's operator a job that does
 * not run makes the deletion fail each time, and the resource stays for ever.
 */
class DeletionWithSavepointTest {

  private final FakeEnvironment environment = FakeEnvironment.running(7, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @BeforeEach
  void theSpecAsksForASavepoint() {
    environment.deletionSavepointMs = 600_000;
  }

  @AfterEach
  void noInvariantWasBroken() {
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void aJobThatRunsIsStoppedWithASavepoint() {
    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("savepoint-of-7");
    assertThat(events()).contains(EventReasons.SUSPENDED);
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"RESTARTING", "CREATED", "FAILED", "CANCELED"})
  void aJobThatDoesNotRunDoesNotHoldTheDeletionUp(FlinkJobState state) {
    environment.jobState = state;

    server.delete();

    isDeletedWithoutASavepoint();
    assertThat(server.outcome().savepoint()).as("what is kept").isEqualTo("chk-of-7");
  }

  @Test
  void aJobManagerThatDoesNotAnswerDoesNotHoldTheDeletionUp() {
    environment.reachable = false;

    server.delete();

    isDeletedWithoutASavepoint();
  }

  @Test
  void aSavepointThatFailsDoesNotHoldTheDeletionUp() {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(
          Step.STOP_WITH_SAVEPOINT, failure(FailureType.SAVEPOINT_FAILED, "no space left"));
    }

    server.delete();

    isDeletedWithoutASavepoint();
    assertThat(server.outcome().savepoint()).as("what is kept").isEqualTo("chk-of-7");
  }

  private void isDeletedWithoutASavepoint() {
    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.cluster).isNull();
    assertThat(environment.savepoints).isZero();
    assertThat(events()).contains(EventReasons.SAVEPOINT_ERROR);
  }

  private List<String> events() {
    return environment.reports.stream().map(OperationReport::event).toList();
  }
}
