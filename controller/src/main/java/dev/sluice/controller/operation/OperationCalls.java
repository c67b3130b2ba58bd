package dev.sluice.controller.operation;

import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.workflows.model.ResourceRef;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a controller to Temporal about runs. Each blocks, for a bounded time.
 *
 * <p>Each throws {@link TemporalFailure} when Temporal does not answer or refuses it.
 */
public interface OperationCalls {

  /** Starts the run unless one is open, of any type: an open run does not notice the call. */
  void ensureOpen(ResourceRef resource, NewRun run);

  /** Signals the newest generation to the open run, of any type; else starts a run with it. */
  void start(ResourceRef resource, EnsureOpen start);

  /**
   * Signals a request to the open run, of any type; else starts a run with it.
   *
   * @param newest generation that is signalled before; null for none
   */
  void signalOrStart(
      ResourceRef resource, Request request, NewRun otherwise, @Nullable Long newest);

  /**
   * Signals a request to the open run.
   *
   * @return false when none is open
   */
  boolean signal(ResourceRef resource, Request request);
}
