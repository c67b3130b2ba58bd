package dev.sluice.workflows.operation;

import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.WithMethods;
import dev.sluice.workflows.model.ResourceRef;
import org.jspecify.annotations.Nullable;

/**
 * What every workflow of a lane is started with: a reference and decisions, never a spec.
 *
 * @param resource whose lane it is
 * @param generation the {@code metadata.generation} to reach; for {@code Rollback} the one that is
 *     given up
 * @param why one line: what started this run
 * @param retry the user requested this run: with {@code sluice.dev/retry}, so that {@code
 *     sluice.dev/restore-from} counts, or a {@code Rollback} with {@code sluice.dev/rollback}
 * @param rollbackAsked this {@code Rollback} is the abort that {@code sluice.dev/rollback} means
 *     while an operation is open: what is named next to it may be still to be gone back to
 * @param lostJob the job that an earlier run on this lane cancelled, or found ended, and whose
 *     newest state it did not find; null when there is none
 * @param recovery why a {@code Recover} was started; null for every other operation
 * @param seenUnhealthy the job to restart because it is not healthy; null for every other operation
 * @param keepsCluster a {@code Finish} only records what the job left; its cluster is deleted
 *     later. False for every other operation
 * @param aborts why the operation is given up, where an earlier run on this lane was asked to and
 *     that has not come to its end; null where it goes on
 */
@WithMethods
public record OperationInput(
    ResourceRef resource,
    long generation,
    String why,
    boolean retry,
    boolean rollbackAsked,
    @Nullable String lostJob,
    @Nullable RecoveryCause recovery,
    @Nullable SeenUnhealthy seenUnhealthy,
    boolean keepsCluster,
    @Nullable String aborts)
    implements OperationInputBuilder.With {

  /**
   * A job that was not healthy.
   *
   * @param jobId its id; null when that is not known
   * @param atMs when it was seen so, ms since the epoch; null for when the run was started
   * @param healedAfterMs it is healthy again once every task is up for that long without a restart,
   *     in ms; null where that says nothing
   */
  public record SeenUnhealthy(
      @Nullable String jobId, @Nullable Long atMs, @Nullable Long healedAfterMs) {}

  /** An operation asked for by the controller. */
  public static OperationInput of(ResourceRef resource, long generation, String why) {
    return new OperationInput(
        resource, generation, why, false, false, null, null, null, false, null);
  }

  /** The same operation in a run of its own, with what this one leaves behind. */
  public OperationInput next(long toGeneration, String because) {
    return of(resource, toGeneration, because)
        .withLostJob(lostJob)
        .withRecovery(recovery)
        .withSeenUnhealthy(seenUnhealthy)
        .withKeepsCluster(keepsCluster);
  }
}
