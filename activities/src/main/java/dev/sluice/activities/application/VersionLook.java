package dev.sluice.activities.application;

import dev.sluice.api.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Kubernetes says of the cluster of a version.
 *
 * @param jobManager its Deployment; null when there is none that is the version's
 * @param taskManagers its Deployment; null when there is none that is the version's
 * @param pods of the cluster, those that terminate included
 * @param problem what keeps it from coming up, in words; null when nothing does
 * @param served whether the Service of the application points at its JobManager
 */
public record VersionLook(
    @Nullable Deployment jobManager,
    @Nullable Deployment taskManagers,
    List<Pod> pods,
    @Nullable String problem,
    boolean served) {

  /** Copies the list. */
  public VersionLook {
    pods = List.copyOf(pods);
  }

  /** Whether both Deployments are there and stay. */
  public boolean isThere() {
    return jobManager != null
        && taskManagers != null
        && jobManager.getMetadata().getDeletionTimestamp() == null
        && taskManagers.getMetadata().getDeletionTimestamp() == null;
  }

  /**
   * Whether a pod of the JobManager stays though its Deployment is gone: that was deleted without
   * what it owns, or what it owns is not collected yet.
   */
  public boolean isOrphaned() {
    return jobManager == null
        && pods.stream()
            .anyMatch(it -> isJobManager(it) && it.getMetadata().getDeletionTimestamp() == null);
  }

  /** Whether that is a pod of a JobManager. */
  static boolean isJobManager(Pod pod) {
    return Labels.COMPONENT_JOB_MANAGER.equals(Labels.of(pod, Labels.FLINK_DEPLOYMENT_TYPE));
  }
}
