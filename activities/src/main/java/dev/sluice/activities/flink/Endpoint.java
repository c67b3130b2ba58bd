package dev.sluice.activities.flink;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ClusterRef;
import okhttp3.HttpUrl;

/**
 * Where a cluster's REST API answers.
 *
 * @param cluster the cluster
 * @param port the Service's REST port, 8081 unless the configuration says otherwise
 * @param service name of the Service
 * @param tls whether it takes TLS alone
 */
public record Endpoint(ClusterRef cluster, int port, String service, boolean tls) {

  public static final int DEFAULT_PORT = 8081;

  /** Without TLS, at the Service which Flink's native mode calls {@code <clusterId>-rest}. */
  public Endpoint(ClusterRef cluster, int port) {
    this(cluster, port, cluster.clusterId() + "-rest", false);
  }

  public static Endpoint of(ClusterRef cluster) {
    return new Endpoint(cluster, DEFAULT_PORT);
  }

  /** Of a cluster that was made with that configuration. */
  public static Endpoint of(ClusterRef cluster, FlinkConfiguration configuration) {
    return of(cluster, FlinkPorts.rest(configuration), configuration);
  }

  /** Of a cluster that was made with that configuration, and whose Service has that port. */
  public static Endpoint of(ClusterRef cluster, int port, FlinkConfiguration configuration) {
    boolean tls = configuration.isOn(FlinkConfiguration.REST_TLS, false);
    return new Endpoint(cluster, port, cluster.clusterId() + "-rest", tls);
  }

  HttpUrl url(String... path) {
    HttpUrl.Builder url =
        new HttpUrl.Builder()
            .scheme(tls ? "https" : "http")
            .host(service + "." + cluster.namespace())
            .port(port);
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
