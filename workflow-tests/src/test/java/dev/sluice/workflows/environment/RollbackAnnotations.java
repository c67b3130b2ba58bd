package dev.sluice.workflows.environment;

import org.jspecify.annotations.Nullable;

/**
 * The annotations that request a rollback, and what became of the request. One that a run was told
 * of must be answered: its annotations go, or what is asked for beside it stays for a later one.
 */
public final class RollbackAnnotations {

  private boolean there;
  private @Nullable Long to;
  private boolean newestState;
  private boolean handedOver;
  private boolean lost;
  private boolean mayBeIgnored;
  private boolean cancelled;
  private long newestThen;

  /**
   * A person annotates the resource.
   *
   * @param generation to go back to; null for the one before
   * @param withNewestState from the newest state of the job that runs
   * @param resource as it is now
   */
  public void ask(@Nullable Long generation, boolean withNewestState, ResourceModel resource) {
    Spec frozen = resource.frozen();
    newestThen = resource.newest().generation();
    mayBeIgnored = frozen == null || newestThen > frozen.generation();
    there = true;
    to = generation;
    newestState = withNewestState;
    handedOver = false;
  }

  /** The controller takes the request, once. */
  public boolean take() {
    boolean taken = there && !handedOver;
    handedOver |= there;
    return taken;
  }

  /**
   * A run that may have been told of it was terminated, or left by a signal that deletes nothing.
   */
  public void mayBeLost() {
    lost = true;
  }

  /** A run that is, or will be, told of it was cancelled: it can begin no other one. */
  public void runIsCancelled() {
    cancelled = true;
  }

  /** Whether a run was told of it, and nobody has answered it. */
  public boolean isLeftUnanswered() {
    return there && handedOver && !lost;
  }

  boolean isThere() {
    return there;
  }

  @Nullable Long to() {
    return to;
  }

  boolean asksForNewestState() {
    return newestState;
  }

  /** Whether another generation is named than the one that is deployed. */
  boolean goesFurther(@Nullable Spec frozen) {
    return there && to != null && (frozen == null || frozen.generation() != to);
  }

  /** Whether something came before it that a rollback has to stand back for. */
  boolean isIgnoredRightly(ResourceModel resource) {
    return mayBeIgnored
        || cancelled
        || resource.stableGeneration() == null
        || resource.newest().generation() > newestThen;
  }

  /** It is answered: they are removed. */
  void forget() {
    there = false;
    to = null;
    newestState = false;
  }
}
