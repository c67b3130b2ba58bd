package dev.sluice.activities.manifest.common;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes objects of one cluster, all owned by the resource that it is made for, but for the
 * TaskManagers.
 *
 * @param configMaps Flink's configuration, and in native mode the TaskManager pod template if there
 *     is one
 * @param services the REST service, and the internal one where TaskManagers need it
 * @param deployment the JobManager
 * @param taskManagers in standalone mode. It is to belong to the JobManager's Deployment, as the
 *     pods do in native mode, so that it goes when that goes. Null in native mode: the JobManager
 *     asks for its TaskManager pods itself
 * @param taskManagerPod in native mode, a pod like those that the JobManager asks for, to be
 *     checked and never created; null in standalone mode
 */
public record ClusterManifests(
    List<ConfigMap> configMaps,
    List<Service> services,
    Deployment deployment,
    @Nullable Deployment taskManagers,
    @Nullable Pod taskManagerPod) {

  private static final String CONFIGURATION = "flink-config-";
  private static final String TASK_MANAGERS = "-taskmanager";

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

  /** The Deployment of the TaskManagers in standalone mode, named as by Apache's operator. */
  public static String taskManagersName(String clusterId) {
    return clusterId + TASK_MANAGERS;
  }

  /**
   * With this number of TaskManagers in standalone mode, at least one. It does not change the hash:
   * a Deployment that exists is not written again because of the number.
   */
  public ClusterManifests withTaskManagers(int number) {
    return taskManagers == null
        ? this
        : new ClusterManifests(
            configMaps,
            services,
            deployment,
            taskManagers.edit().editSpec().withReplicas(Math.max(1, number)).endSpec().build(),
            taskManagerPod);
  }

  /**
   * In the order to apply them: the configuration first, the Deployments last, so that a JobManager
   * never starts without what it mounts and resolves, and a half-made cluster runs nothing.
   */
  public List<HasMetadata> all() {
    return Stream.of(
            configMaps, services, List.of(deployment), Stream.ofNullable(taskManagers).toList())
        .<HasMetadata>flatMap(List::stream)
        .toList();
  }
}
