package dev.sluice.activities.flink;

import dev.sluice.workflows.model.ClusterRef;
import okhttp3.HttpUrl;

/**
 * Where a cluster's REST API answers.
 *
 * @param cluster the cluster
 * @param port the Service's REST port, 8081 unless the configuration says otherwise
 * @param service name of the Service
 */
public record Endpoint(ClusterRef cluster, int port, String service) {

  public static final int DEFAULT_PORT = 8081;

  /** That of the Service which Flink's native mode calls {@code <clusterId>-rest}. */
  public Endpoint(ClusterRef cluster, int port) {
    this(cluster, port, cluster.clusterId() + "-rest");
  }

  public static Endpoint of(ClusterRef cluster) {
    return new Endpoint(cluster, DEFAULT_PORT);
  }

  HttpUrl url(String... path) {
    HttpUrl.Builder url =
        new HttpUrl.Builder().scheme("http").host(service + "." + cluster.namespace()).port(port);
    for (String segment : path) {
      url.addPathSegment(segment);
    }
    return url.build();
  }

  /** {@code namespace/clusterId}, as people write it and as waits are keyed. */
  @Override
  public String toString() {
    return cluster.display();
  }
}
