package dev.sluice.workflows.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.Test;

/** Each rule holds for an operator that does it right, and is broken by one that does not. */
class InvariantsTest {

  private static final Spec ORDERS = Spec.of("orders", JobShape.HEALTHY);
  private static final Spec NEXT = Spec.of("orders, parallelism 2", JobShape.HEALTHY);

  private final StraightOperator operator = StraightOperator.running(ORDERS);

  private void assertBroken(String rule) {
    assertThat(operator.environment.invariants().violations())
        .as("%s", operator.environment.trace())
        .anyMatch(violation -> violation.contains(rule));
  }

  private void assertNothingBroken() {
    assertThat(operator.environment.invariants().violations())
        .as("%s", operator.environment.trace())
        .isEmpty();
  }

  private void begin(Spec spec) {
    operator.environment.resource().apply(spec);
    operator.observe();
    operator.freeze();
  }

  @Test
  void anUpgradeWithASavepointBreaksNothing() {
    begin(NEXT);
    RestorePoint from = operator.recordedFromSavepoint();
    operator.deleteCluster();
    operator.start(from);
    operator.markStable();

    assertNothingBroken();
    assertThat(operator.environment.invariants().jobIsUp()).isTrue();
  }

  @Test
  void anUpgradeFromTheNewestCheckpointBreaksNothing() {
    begin(NEXT);
    RestorePoint from = operator.record(operator.cancel(OnlyIf.STATE_IS_KEPT), "0");
    operator.deleteCluster();
    operator.start(from);
    operator.markStable();

    assertNothingBroken();
  }

  @Test
  void aRollbackToTheStateFromBeforeBreaksNothing() {
    begin(NEXT);
    RestorePoint from = operator.recordedFromSavepoint();
    operator.deleteCluster();
    operator.start(from);
    operator.environment.tick(10);
    operator.environment.invariants().abortAsked();
    RestorePoint back = new RestorePoint(from.state(), from.startedJob(), "f".repeat(32));
    operator.freezeStable(back);
    operator.deleteCluster();
    operator.start(back);
    operator.markStable();

    assertNothingBroken();
  }

  @Test
  void aDeletionBreaksNothing() {
    operator.environment.resource().delete();
    operator.deleteEverything();

    assertNothingBroken();
    assertThat(operator.environment.kubernetes().pods()).isZero();
  }

  @Test
  void aStatelessUpgradeThatGivesItsStateUpBreaksNothing() {
    begin(NEXT.mode(UpgradeMode.STATELESS));
    operator.cancel(OnlyIf.ANY_CASE);
    RestorePoint from = operator.record(new StateRef.Empty("stateless"), "0");
    operator.deleteCluster();
    operator.start(from);
    operator.markStable();

    assertNothingBroken();
  }

  @Test
  void aStateThatWasNotRecordedIsMissed() {
    begin(NEXT);
    operator.stop();
    operator.deleteCluster();

    assertBroken("before its state is recorded");
  }

  @Test
  void anEmptyStartInsteadOfTheSavepointIsMissed() {
    begin(NEXT);
    operator.stop();
    RestorePoint from = operator.record(new StateRef.Empty("forgotten"), "0");
    operator.deleteCluster();
    operator.create(from);

    assertBroken("is not recorded");
    assertBroken("rewinds to 0");
  }

  @Test
  void aStartFromTheSavepointBeforeTheLastIsARewind() {
    begin(NEXT);
    RestorePoint first = operator.recordedFromSavepoint();
    operator.deleteCluster();
    operator.start(first);
    operator.markStable();
    operator.environment.tick(10);
    begin(Spec.of("orders, parallelism 3", JobShape.HEALTHY));
    operator.cancel(OnlyIf.STATE_IS_KEPT);
    RestorePoint again = operator.record(first.state(), "0");
    operator.deleteCluster();
    operator.create(again);

    assertBroken("rewinds to");
  }

  @Test
  void aStartThatDiffersFromWhatIsRecordedIsMissed() {
    begin(NEXT);
    RestorePoint recorded = operator.recordedFromSavepoint();
    operator.deleteCluster();
    operator.create(
        new RestorePoint(
            new StateRef.Savepoint("s3://another"), recorded.takenFrom(), recorded.startedJob()));

    assertBroken("recorded is");
  }

  @Test
  void aRollbackToLessThanTheStateFromBeforeIsMissed() {
    begin(NEXT);
    RestorePoint from = operator.recordedFromSavepoint();
    operator.deleteCluster();
    operator.start(from);
    RestorePoint back = new RestorePoint(new StateRef.Empty("none"), "0", "f".repeat(32));
    operator.freezeStable(back);
    operator.deleteCluster();
    operator.create(back);

    assertBroken("goes back to 0");
  }

  @Test
  void aSecondJobBesideTheOldPodsIsMissed() {
    begin(NEXT);
    RestorePoint from = operator.record(new StateRef.Empty("wrong"), "0");
    operator.environment.deleteDeploymentByHand();
    operator.create(from);
    operator.environment.tick(2);

    assertBroken("beside pods of another");
  }

  @Test
  void twoLiveJobsAreMissed() {
    begin(NEXT);
    RestorePoint from = operator.record(new StateRef.Empty("wrong"), "0");
    operator.environment.kubernetes().processes().forEach(process -> process.terminate(50));
    operator.environment.deleteDeploymentByHand();
    operator.create(from);
    operator.environment.tick(10);

    assertBroken("two live jobs");
  }

  @Test
  void aHealthyJobOfTheNewestSpecThatIsStoppedIsMissed() {
    operator.observe();
    operator.stop();

    assertBroken("stops a healthy job of the newest spec");
  }

  @Test
  void aJobThatIsStoppedForAnInvalidSpecIsMissed() {
    operator.environment.resource().apply(NEXT.invalid());
    operator.observe();
    operator.stop();

    assertBroken("because of an invalid spec");
  }

  @Test
  void aCancelThatKeepsNoStateIsMissed() {
    begin(NEXT);
    operator.cancel(OnlyIf.ANY_CASE);

    assertBroken("without keeping its state");
  }

  @Test
  void aGenerationThatNeverRanIsNotStable() {
    begin(Spec.of("broken", JobShape.HEALTHY.starting(JobShape.Start.CRASHES)));
    RestorePoint from = operator.recordedFromSavepoint();
    operator.deleteCluster();
    operator.create(from);
    operator.environment.tick(10);
    operator.markStable();

    assertBroken("marks");
  }

  @Test
  void anUnknownStateCannotBeRecorded() {
    assertThatThrownBy(() -> operator.record(new StateRef.Unknown("nobody knows"), "0"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyAJobThatIsDeletedMayBeDrained() {
    begin(NEXT);

    StateRef unused = operator.stopForGood();

    assertBroken("may drain job");
  }

  @Test
  void checkpointsThatFlinkDeletesAreNotGivenUp() {
    StraightOperator deleting =
        StraightOperator.running(Spec.of("deleting", JobShape.HEALTHY.deletingCheckpoints()));
    deleting.environment.resource().apply(NEXT);
    deleting.observe();
    deleting.freeze();

    assertThatThrownBy(() -> deleting.cancel(OnlyIf.STATE_IS_KEPT))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo("StateNotFound"));
    assertThat(deleting.environment.invariants().jobIsUp()).isTrue();
  }

  @Test
  void metadataThatIsToBeGoneOnFromMustStay() {
    StraightOperator available = silent();
    RestorePoint from = available.recordMetadata();
    available.deleteCluster();

    assertThat(available.environment.invariants().violations())
        .contains("deletes the high-availability metadata that is to be restored");
    assertThat(from.isSameJob()).isTrue();
  }

  @Test
  void anOldJobGraphThatIsRunAgainIsMissed() {
    StraightOperator available = silent();
    RestorePoint from = available.recordMetadata();
    available.environment.deleteDeploymentByHand();
    available.environment.tick(10);
    available.create(from);
    available.environment.tick(10);

    assertThat(available.environment.invariants().violations())
        .anyMatch(violation -> violation.contains("runs the job graph of"));
  }

  @Test
  void aJobThatGoesOnFromItsMetadataBreaksNothing() {
    StraightOperator available = silent();
    RestorePoint from = available.recordMetadata();
    available.deleteClusterKeeping(from.startedJob());
    available.start(from);
    available.markStable();

    assertThat(available.environment.invariants().violations()).isEmpty();
    assertThat(available.environment.invariants().jobsBegun()).hasSize(1);
  }

  private static StraightOperator silent() {
    StraightOperator available =
        StraightOperator.running(Spec.of("available", JobShape.HEALTHY.highlyAvailable()));
    available.environment.silenceJobManager();
    available.environment.resource().apply(Spec.of("next", JobShape.HEALTHY.highlyAvailable()));
    available.observe();
    available.freeze();
    return available;
  }

  @Test
  void withoutHighAvailabilityAJobManagerThatComesBackRunsItsJobAgainFromTheStart() {
    operator.environment.killJobManager();
    operator.environment.tick(20);

    assertThat(operator.environment.trace().toString()).contains("begins at 0");
    assertNothingBroken();
  }

  @Test
  void withHighAvailabilityItGoesOnFromTheNewestCheckpoint() {
    StraightOperator available =
        StraightOperator.running(Spec.of("available", JobShape.HEALTHY.highlyAvailable()));
    available.environment.killJobManager();
    available.environment.tick(20);

    assertThat(available.environment.trace()).anyMatch(line -> line.matches(".*begins at [1-9].*"));
  }

  @Test
  void aRollbackRequestThatIsIgnoredForNoReasonIsMissed() {
    operator.environment.resource().rollback().ask(7L, false, operator.environment.resource());

    operator.answerRollback(false);

    assertBroken("ignores a rollback request");
  }

  @Test
  void aRollbackRequestThatANewerSpecComesBeforeIsIgnoredRightly() {
    RollbackAnnotations rollback = operator.environment.resource().rollback();
    rollback.ask(7L, false, operator.environment.resource());
    operator.environment.resource().apply(NEXT);

    operator.answerRollback(false);

    assertNothingBroken();
    assertThat(rollback.isThere()).isFalse();
  }

  @Test
  void aRollbackRequestIsLeftUnansweredUntilItIsCarriedOut() {
    RollbackAnnotations rollback = operator.environment.resource().rollback();
    rollback.ask(7L, false, operator.environment.resource());
    assertThat(rollback.take()).isTrue();

    operator.answerRollback(true);

    assertNothingBroken();
    assertThat(rollback.isLeftUnanswered()).isTrue();
  }
}
