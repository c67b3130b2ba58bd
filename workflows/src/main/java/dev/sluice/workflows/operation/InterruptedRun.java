package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationType;

/**
 * Carries what was asked for from a safe point up to the operation, which decides what it means.
 */
public final class InterruptedRun extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Interrupt interrupt;

  InterruptedRun(Interrupt interrupt) {
    super(interrupt.toString(), null, false, false);
    this.interrupt = interrupt;
  }

  /** What was asked for. */
  public Interrupt interrupt() {
    return interrupt;
  }

  /** Why a run leaves the path of its operation at a safe point. */
  public sealed interface Interrupt {

    /** The operation that it asks for. */
    default OperationType next() {
      if (this instanceof Newer) {
        return OperationType.UPGRADE;
      }
      return this instanceof Abort ? OperationType.ROLLBACK : OperationType.DELETE;
    }

    /** The resource is being deleted. */
    record Delete() implements Interrupt {}

    /**
     * The user wants the resource as it was before.
     *
     * @param reason in their words
     */
    record Abort(String reason) implements Interrupt {}

    /**
     * There is a newer spec that differs from the target.
     *
     * @param generation of the resource
     */
    record Newer(long generation) implements Interrupt {}

    /** The resource does not exist any more. */
    record Gone() implements Interrupt {}
  }
}
