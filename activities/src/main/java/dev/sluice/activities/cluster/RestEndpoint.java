package dev.sluice.activities.cluster;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.resource.ResourceRef;
import org.jspecify.annotations.Nullable;

/** Where the JobManager of a cluster answers. */
public final class RestEndpoint {

  private RestEndpoint() {}

  /** By the spec that the cluster was made from; null when that is not known. */
  public static Endpoint of(ResourceRef ref, @Nullable FlinkDeploymentSpec spec) {
    int port =
        spec == null
            ? Endpoint.DEFAULT_PORT
            : spec.configuration().integer("rest.port").orElse(Endpoint.DEFAULT_PORT);
    return new Endpoint(new ClusterRef(ref.namespace(), ref.name()), port);
  }

  /** The cluster of a resource that has the same name. */
  public static ClusterRef cluster(ResourceRef ref) {
    return new ClusterRef(ref.namespace(), ref.name());
  }
}
