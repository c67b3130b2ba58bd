package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.Observation.StateOptions;
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

  /** It is cancelled, and its newest checkpoint was deleted: what is left is older. */
  private Held heldAfterACancellationInVain() {
    environment.mode = UpgradeMode.LAST_STATE;
    environment.newest = new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-9");
    environment.gate.fail(Step.CANCEL_JOB, stateNotFound("Its newest checkpoint was deleted."));
    server.signalWithStart("Upgrade", 7);
    Held held = server.awaitHeld();
    environment.jobState = FlinkJobState.CANCELED;
    environment.newest = new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-3");
    return held;
  }

  @Test
  void aRetryDoesNotTakeTheOlderStateOfAJobThatWasCancelledInVain() {
    Held first = heldAfterACancellationInVain();

    server.signal(LaneSignals.RETRY);
    await().until(() -> parked() == 2);

    assertThat(first.offersRestoreFrom()).isTrue();
    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    assertThat(count(Step.CREATE_CLUSTER)).isZero();
  }

  @Test
  void aNewerSpecDoesNotTakeTheOlderStateOfAJobThatWasCancelledInVain() {
    Held unused = heldAfterACancellationInVain();
    environment.generation = 8;

    server.signalWithStart("Upgrade", 8);
    await().until(() -> environment.reports.stream().anyMatch(r -> r.targetGeneration() == 8));

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    assertThat(count(Step.CREATE_CLUSTER)).isZero();
  }

  @Test
  void aPersonMayChooseAfterACancellationInVain() {
    Held unused = heldAfterACancellationInVain();
    environment.restoreFrom = "s3://mine";

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("s3://mine"));
  }

  /** Its JobManager falls silent afterwards; what Flink keeps in Kubernetes is the newest. */
  @Test
  void theMetadataOfAJobThatWasCancelledInVainNeedsNoChoice() {
    Held unused = heldAfterACancellationInVain();
    environment.options = new StateOptions(true, true, true, null, false, null);
    environment.highAvailability = HighAvailability.CHECKPOINT;
    environment.reachable = false;

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.HaMetadata("job-of-6"));
  }

  private void failStops(String why) {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(Step.STOP_WITH_SAVEPOINT, stateNotFound(why));
    }
  }

  private static RuntimeException stateNotFound(String why) {
    return failure(FailureType.STATE_NOT_FOUND, why);
  }

  private long parked() {
    return environment.reports.stream().filter(r -> r.state() == OperationState.PARKED).count();
  }

  private long count(Step step) {
    return environment.calls.stream().filter(step.title()::equals).count();
  }
}
