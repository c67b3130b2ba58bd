package dev.sluice.controller.reconcile;

import dev.sluice.controller.operation.ReconcileAction;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The controller's part of the status of one kind, as a function of what was observed.
 *
 * @param <R> the resource
 * @param <S> its status
 * @param <V> the resource with what was observed of it
 */
public interface StatusProjection<R extends HasMetadata, S, V> {

  /**
   * The controller's fields as they are true now; every other one is null. Pure but for the clock,
   * which only dates a condition that changes.
   */
  S project(V seen, ReconcileAction decision);

  /** The status of a resource, without the fields that are the workflow's. */
  S owned(R resource);
}
