package dev.sluice.api.common;

/** What a change of the spec asks for, weakest first: the strongest of all changes wins. */
public enum DiffKind {
  /** Nothing for what runs; it takes effect with the next operation. */
  IGNORE,
  /**
   * Something that the job goes on with, such as the Ingress, or in reactive mode the number of
   * TaskManagers: no operation begins.
   */
  IN_PLACE,
  /** Another parallelism, which the cluster can take without a restart of everything. */
  SCALE,
  /** Stop the job and start the new spec, with its state as {@code job.upgradeMode} says. */
  UPGRADE,
  /** Throw the current state away and start from {@code job.initialSavepointPath}. */
  SAVEPOINT_REDEPLOY;

  /** Whether an operation has to bring the change to the cluster. */
  public boolean needsOperation() {
    return compareTo(IN_PLACE) > 0;
  }

  /** The stronger of both. */
  public DiffKind or(DiffKind other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
