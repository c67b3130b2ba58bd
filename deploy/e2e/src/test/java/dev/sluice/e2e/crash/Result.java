package dev.sluice.e2e.crash;

/**
 * What came of a point.
 *
 * @param point which
 * @param outcome in one word
 * @param millis from the kill until the operation was at its next step, or at its end; 0 when
 *     nothing was killed
 * @param note what else is to be said; empty for nothing
 */
record Result(Point point, Outcome outcome, long millis, String note) {

  enum Outcome {
    /** The operation ended as if nothing had been killed. */
    PASSED,
    /** The same, after a run that was parked was answered with a retry, as its reason asks for. */
    ASKED,
    /** There was no such process at that step. */
    NOT_THERE,
    /** The operation took no such step. */
    NOT_REACHED,
    /** The operation did not end as it must; one of the kills in it is the cause. */
    IN_QUESTION
  }

  /** Whether something was killed. */
  boolean killed() {
    return outcome != Outcome.NOT_THERE && outcome != Outcome.NOT_REACHED;
  }
}
