package dev.sluice.controller.reconcile;

import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A resource that has a lane of runs in Temporal, as one reconciliation sees it. A {@link
 * dev.sluice.controller.status.SeenResource} runs a job in addition, which a FlinkStateSnapshot
 * does not; words and rules about jobs need no type of the resource.
 *
 * @param <R> the resource
 */
public interface SeenLane<R extends HasMetadata> {

  /** The resource as it was read. */
  R resource();

  /** The resource as workflows know it. */
  ResourceRef ref();

  /** The answers of Temporal. */
  TemporalAnswers temporal();
}
