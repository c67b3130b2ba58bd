package dev.sluice.activities.manifest.common;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.stream.Stream;

/**
 * The Kubernetes objects of one cluster, all owned by the resource that it is made for.
 *
 * @param configMaps Flink's configuration, and the TaskManager pod template if there is one
 * @param services the REST service, and without high availability the internal one
 * @param deployment the JobManager; it asks for its TaskManager pods itself
 */
public record ClusterManifests(
    List<ConfigMap> configMaps, List<Service> services, Deployment deployment) {

  private static final String CONFIGURATION = "flink-config-";

  /** Copies the lists. */
  public ClusterManifests {
    configMaps = List.copyOf(configMaps);
    services = List.copyOf(services);
  }

  /**
   * The ConfigMap with Flink's configuration, named as by Flink's own client. It is the first
   * object of a cluster and carries the job id, so that it tells whether a job was ever about to be
   * started.
   */
  public static String configurationName(String clusterId) {
    return CONFIGURATION + clusterId;
  }

  /**
   * In the order to apply them: the configuration first, the Deployment last, so that a JobManager
   * never starts without what it mounts and resolves, and a half-made cluster runs nothing.
   */
  public List<HasMetadata> all() {
    return Stream.of(configMaps, services, List.of(deployment))
        .<HasMetadata>flatMap(List::stream)
        .toList();
  }
}
