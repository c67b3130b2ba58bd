package dev.sluice.workflows.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import org.junit.jupiter.api.Test;

/** What a job must be resumed from, for an operator that does it right and one that does not. */
class ResumeInvariantsTest {

  private static final Spec ORDERS = Spec.of("orders", JobShape.HEALTHY);
  private static final Spec NEXT = Spec.of("orders, parallelism 2", JobShape.HEALTHY);
  private static final Spec CORRECTED = Spec.of("orders, corrected", JobShape.HEALTHY);

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

  /** What the job left. */
  private StateRef suspend(Spec spec) {
    begin(spec.asSuspended());
    StateRef left = operator.recordedFromSavepoint().state();
    operator.deleteCluster();
    operator.markSuspended();
    return left;
  }

  /** The job comes up, and works for a while; what it was started from. */
  private RestorePoint resume(StateRef left) {
    begin(NEXT);
    RestorePoint from = operator.record(left, "0");
    operator.start(from);
    operator.environment.tick(10);
    return from;
  }

  private void abort(RestorePoint resumed) {
    operator.environment.invariants().abortAsked();
    operator.freezeStable(new RestorePoint(resumed.state(), resumed.startedJob(), "f".repeat(32)));
    operator.deleteCluster();
    operator.markSuspended();
  }

  @Test
  void aResumeThatIsAbortedLeavesWhatWasSuspendedToResumeFrom() {
    StateRef left = suspend(ORDERS);
    abort(resume(left));
    begin(CORRECTED);
    operator.start(operator.record(left, "0"));
    operator.markStable();

    assertNothingBroken();
  }

  /** A suspension takes the place of the rollback before that has begun a job. */
  @Test
  void aSuspensionAfterTheAbortChangesNothingOfThat() {
    StateRef left = suspend(ORDERS);
    abort(resume(left));
    begin(NEXT.asSuspended());
    RestorePoint unused = operator.record(left, "0");
    operator.markSuspended();
    begin(CORRECTED);
    operator.start(operator.record(left, "0"));
    operator.markStable();

    assertNothingBroken();
  }

  @Test
  void lessThanWhatWasSuspendedIsMissedAfterAnAbort() {
    abort(resume(suspend(ORDERS)));
    begin(CORRECTED);
    operator.create(operator.record(new StateRef.Empty("forgotten"), "0"));

    assertBroken("rewinds to 0");
  }

  @Test
  void aResumeFromTheSuspensionBeforeTheLastIsARewind() {
    StateRef first = suspend(ORDERS);
    RestorePoint unused = resume(first);
    operator.markStable();
    StateRef unusedToo = suspend(NEXT);
    begin(CORRECTED);
    operator.create(operator.record(first, "0"));

    assertBroken("rewinds to");
  }
}
