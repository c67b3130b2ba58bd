package dev.sluice.activities.resource;

import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ResourceRef;

/**
 * The resources of one kind: everything that activities must know of a kind is behind this. Every
 * method asks the API server, blocks for one or two calls, and fails with {@code ResourceGone} or
 * as {@link dev.sluice.activities.kubernetes.KubernetesFailure} says.
 */
public interface ResourceStore {

  /** How the API server knows the kind. */
  ResourceType type();

  /** Checks that this very instance exists, whatever else is wrong with it. */
  void require(ResourceRef ref);

  /** The resource as it is now. */
  StoredResource read(ResourceRef ref);

  /** The cluster that runs now; its configuration is by the generation of its Deployment. */
  RunningCluster running(ResourceRef ref);

  /** The Flink configuration of the newest spec, whether or not that is valid. */
  default FlinkConfiguration newest(ResourceRef ref) {
    return read(ref).newest().configuration();
  }

  /** The cluster that is made, or to be made, from the frozen target. */
  default RunningCluster target(ResourceRef ref) {
    return RunningCluster.target(read(ref));
  }
}
