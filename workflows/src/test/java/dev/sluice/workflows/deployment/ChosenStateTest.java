package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress.Held;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** States that a person names with {@code sluice.dev/restore-from}. */
class ChosenStateTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void aPersonMayChooseToStartEmpty() {
    environment.cluster = null;
    server.signalWithStart("Upgrade", 7);
    Held held = server.awaitHeld();
    environment.restoreFrom = "empty";

    server.signal(LaneSignals.RETRY);

    assertThat(held.offersRestoreFrom()).isTrue();
    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isInstanceOf(StateRef.Empty.class);
    assertThat(environment.restoreFrom).as("the annotation is used up").isNull();
  }

  @Test
  void aChoiceWithoutARetryIsNotTaken() {
    environment.cluster = null;
    environment.restoreFrom = "empty";

    server.signalWithStart("Upgrade", 7);

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    assertThat(count(Step.CREATE_CLUSTER)).isZero();
  }

  /** The job ended, its JobManager was restarted, and no savepoint is where one was to be. */
  @Test
  void aPersonMayChooseWhenNoSavepointIsFoundOfAJobThatIsGone() {
    environment.jobState = null;
    failStops("The state of job job-of-6 is not known.");
    server.signalWithStart("Upgrade", 7);
    Held held = server.awaitHeld();
    environment.restoreFrom = "s3://mine";

    server.signal(LaneSignals.RETRY);

    assertThat(held.offersRestoreFrom()).isTrue();
    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("s3://mine"));
  }

  /** Without high availability: the stop was done, then the JobManager crashed. */
  @Test
  void aPersonMayChooseWhenTheJobWasBegunAgainAfterTheStop() {
    failStops("The JobManager began the job again.");
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.restoreFrom = "s3://mine";

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("s3://mine"));
  }

  @Test
  void aRetryWithoutAChoiceStopsTheJobAnewUnderAnotherTrigger() {
    environment.gate.fail(Step.STOP_WITH_SAVEPOINT, stateNotFound("It began again."));
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
    assertThat(environment.triggers).hasSize(2).doesNotHaveDuplicates();
  }

  private void failStops(String why) {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(Step.STOP_WITH_SAVEPOINT, stateNotFound(why));
    }
  }

  private static RuntimeException stateNotFound(String why) {
    return failure(FailureType.STATE_NOT_FOUND, why);
  }

  private long count(Step step) {
    return environment.calls.stream().filter(step.title()::equals).count();
  }
}
