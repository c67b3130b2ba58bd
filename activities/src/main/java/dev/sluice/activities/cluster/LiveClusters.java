package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;

/**
 * The objects of a cluster as the API server has them now: asked before anything is given up
 * because of what the {@link ClusterCache} says. Every method blocks for one call, or two, and may
 * throw.
 */
public interface LiveClusters extends ClusterView {

  /** The ConfigMaps in which Flink keeps high-availability metadata. */
  List<ConfigMap> highAvailability(ClusterRef cluster);
}
