package dev.sluice.activities.resource;

import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Optional;

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

  StoredResource read(ResourceRef ref);

  /** The same with all that its status says, and without what it refers to. */
  JobResource whole(ResourceRef ref);

  /** The resource that has that name now; empty when there is none. */
  Optional<StoredResource> find(String namespace, String name);

  /** The cluster of a resource that was read a moment ago, as {@link #running(ResourceRef)}. */
  RunningCluster running(ResourceRef ref, StoredResource resource);

  /** The cluster that runs now; its configuration is by the generation of its Deployment. */
  default RunningCluster running(ResourceRef ref) {
    return running(ref, read(ref));
  }

  /** The Flink configuration of the newest spec, whether or not that is valid. */
  default FlinkConfiguration newest(ResourceRef ref) {
    return read(ref).newest().configuration();
  }

  /** The cluster that is made, or to be made, from the frozen target. */
  default RunningCluster target(ResourceRef ref) {
    return RunningCluster.target(read(ref));
  }
}
