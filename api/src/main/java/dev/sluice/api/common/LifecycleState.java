package dev.sluice.api.common;

/** One word for the whole resource, as Apache publishes it in {@code status.lifecycleState}. */
public enum LifecycleState {
  /** Seen, nothing deployed yet. */
  CREATED,

  /** The job is stopped on purpose, its state kept. */
  SUSPENDED,

  /** Between two specs: the old one is being stopped or the new one is not submitted yet. */
  UPGRADING,

  /** Submitted, but not seen stable yet; a rollback may still follow. */
  DEPLOYED,

  /** Deployed and seen running. */
  STABLE,

  /** On the way back to the last stable spec. */
  ROLLING_BACK,

  /** The last stable spec runs, not the one in the resource. */
  ROLLED_BACK,

  /** The job failed permanently. */
  FAILED,

  /** The resource was deleted and what it owns is being removed. */
  DELETING,

  /** Everything the resource owned is gone. */
  DELETED
}
