package dev.sluice.activities.flink;

import okhttp3.HttpUrl;

/**
 * Where a cluster's REST API answers: the Service that Flink's native mode calls {@code
 * <name>-rest}.
 *
 * @param namespace Kubernetes namespace of the cluster
 * @param name the cluster id, which is the name of its FlinkDeployment
 * @param port the Service's REST port, 8081 unless {@code rest.port} says otherwise
 */
public record Endpoint(String namespace, String name, int port) {

  /** Flink's default {@code rest.port}. */
  public static final int DEFAULT_PORT = 8081;

  /** The endpoint of a cluster that keeps Flink's default port. */
  public static Endpoint of(String namespace, String name) {
    return new Endpoint(namespace, name, DEFAULT_PORT);
  }

  /** The root of the REST API. */
  HttpUrl base() {
    return new HttpUrl.Builder()
        .scheme("http")
        .host(name + "-rest." + namespace)
        .port(port)
        .build();
  }

  /** {@code namespace/name}, as people write it and as waits are keyed. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
