package dev.sluice.workflows.operation;

/**
 * Carries an {@link Interrupt} from a safe point up to the operation, which decides what it means.
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
}
