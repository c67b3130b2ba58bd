package dev.sluice.api.condition;

/**
 * Types of the conditions in {@code status.conditions}. Each carries {@code observedGeneration}, a
 * reason from {@link Reasons} and a message.
 */
public final class ConditionTypes {
  /**
   * True when the newest spec is deployed, every task of its job runs, or the job has finished by
   * itself, and no operation is open: what kubectl wait is for.
   */
  public static final String READY = "Ready";

  /**
   * True while an operation is at work, also while it is blocked. False when there is nothing to
   * do, or when it is parked.
   */
  public static final String PROGRESSING = "Progressing";

  /**
   * True when the spec is invalid, an operation is parked (action required) or blocked (it tries
   * again by itself), or a container that is needed cannot start. The message says what to do.
   */
  public static final String STALLED = "Stalled";

  /**
   * Apache's condition: True when Flink says the job is RUNNING. Its reason is the state of the job
   * in camel case.
   */
  public static final String RUNNING = "Running";

  private ConditionTypes() {}
}
