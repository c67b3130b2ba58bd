package dev.sluice.activities.resource;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a resource at one generation: the newest, the frozen or the last stable one. Pure.
 */
public interface TargetSpec {

  /** What the planner needs of it. */
  Observation.Target target();

  /** Itself as it stands in {@code lastReconciledSpec}; the same each time for the same spec. */
  String json();

  /** What a workflow is told of it. */
  FreezeResult.Frozen frozen();

  /** Another number asks for a start from its initial savepoint; null when it has none. */
  @Nullable Long redeployNonce();

  /** Its Flink configuration, as people wrote it, over the operator's defaults. */
  FlinkConfiguration configuration();

  /**
   * The objects of the cluster.
   *
   * @throws IllegalArgumentException naming the field that cannot be rendered
   */
  ClusterManifests render(JobRef job, StateRef restoreFrom);
}
