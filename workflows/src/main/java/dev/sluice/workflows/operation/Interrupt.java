package dev.sluice.workflows.operation;

/** Why a run leaves the path of its operation at a safe point. */
public sealed interface Interrupt {

  /** The resource is being deleted. */
  record Delete() implements Interrupt {}

  /**
   * A person wants the resource as it was before.
   *
   * @param reason in their words
   */
  record Abort(String reason) implements Interrupt {}

  /**
   * A newer generation is to be reached.
   *
   * @param generation of the resource
   */
  record Newer(long generation) implements Interrupt {}

  /** The resource does not exist any more. */
  record Gone() implements Interrupt {}
}
