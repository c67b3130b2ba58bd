package dev.sluice.activities.resource;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a resource at one generation: the newest, the frozen or the last stable one. Pure.
 */
public interface TargetSpec {

  Observation.Target target();

  /** Itself as it stands in {@code lastReconciledSpec}; the same each time for the same spec. */
  String json();

  /** What a workflow receives of it. */
  FreezeResult.Frozen frozen();

  /** Another number asks for a start from its initial savepoint; null when it has none. */
  @Nullable Long redeployNonce();

  /** Its Flink configuration, as people wrote it, over the operator's defaults. */
  FlinkConfiguration configuration();

  /** Whether a cluster is made from it. Otherwise its job runs on that of another resource. */
  default boolean hasCluster() {
    return true;
  }

  /**
   * With how many subtasks its job runs.
   *
   * @throws IllegalArgumentException naming the field that cannot be read
   */
  default Parallelism parallelism() {
    return new Parallelism(0, Map.of(), null);
  }

  /**
   * Why the job of another spec does not become its own by another parallelism alone; null when it
   * does, as far as the specs tell.
   *
   * @param runs what the cluster was made from
   */
  default @Nullable String notScaledFrom(TargetSpec runs) {
    return "jobs of its kind are not scaled in place";
  }

  /**
   * Whether the vertices of the job of another spec tell whether its state allows this one: at most
   * the parallelism and its maximum differ.
   *
   * @param runs what the cluster was made from
   */
  default boolean isToldByVerticesOf(TargetSpec runs) {
    return false;
  }

  /**
   * The objects of the cluster.
   *
   * @throws IllegalArgumentException naming the field that cannot be rendered, or when it has none
   */
  ClusterManifests render(JobRef job, StateRef restoreFrom);
}
