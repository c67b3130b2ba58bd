package dev.sluice.controller.deployment;

/** Where a resource stands between what its spec wants and what its status says. */
public enum DeploymentPhase {
  /** It has a deletion timestamp. */
  DELETING,
  /** An operation is at work, or was begun and its run is lost. */
  RUNNING,
  /** An operation waits for a person. */
  PARKED,
  /** The newest spec is valid and is not what was deployed: an operation is to be started. */
  WANTED,
  /** The operation for the newest spec has ended without reaching it. */
  GIVEN_UP,
  /** The newest spec is not valid; no operation is open. */
  REFUSED,
  /** The newest spec is what was deployed. */
  SETTLED;

  /** Whether cluster and job change under an operation's hands, so that watching them is noise. */
  public boolean inFlight() {
    return this == RUNNING || this == WANTED || this == DELETING;
  }
}
