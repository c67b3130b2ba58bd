package dev.sluice.controller.operation;

import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.workflows.model.ResourceRef;

/**
 * What a controller asks of Temporal. Each call blocks, for a bounded time, and throws a
 * RuntimeException when Temporal does not answer or refuses it.
 */
public interface OperationCalls {

  /** Tells the open run, of any type, of the newest generation; else starts a run and tells it. */
  void start(ResourceRef resource, Start start);

  /** Hands a request to the open run, of any type; else starts a run with it. */
  void signalOrStart(ResourceRef resource, Request request, NewRun otherwise);

  /**
   * Hands a request to the open run.
   *
   * @return false when none is open
   */
  boolean signal(ResourceRef resource, Request request);

  /** Whether a run is open for the resource. */
  boolean isOpen(ResourceRef resource);
}
