package dev.sluice.activities.application;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;

/**
 * A version with the spec that it is made from.
 *
 * @param application whose version
 * @param ref it
 * @param spec that it is frozen with
 */
record FrozenVersion(ResourceRef application, VersionRef ref, FlinkApplicationSpec spec) {

  /** Its cluster, by which waits are keyed. */
  ClusterRef cluster() {
    return new ClusterRef(application.namespace(), ref.cluster());
  }

  /** Where its JobManager answers. */
  Endpoint endpoint() {
    return VersionClusters.endpoint(application, ref, spec.uiPort());
  }

  FlinkConfiguration configuration() {
    return spec.configuration();
  }

  /** Its cluster, which could run other jobs too. */
  RunningCluster running() {
    return new RunningCluster(
        cluster(), endpoint(), configuration(), ref.jobId(), ref.generation(), true);
  }
}
