package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts what Kubernetes has of a cluster into a {@link ClusterObservation}. Pure. */
public final class ClusterEvidence {

  private ClusterEvidence() {}

  /**
   * @param running the cluster, as its Deployment says it was made
   * @param owner the resource whose cluster it is
   * @param objects what Kubernetes has
   * @param lastJobId the job of the resource that was seen last; null when none ever was
   */
  public static ClusterObservation of(
      RunningCluster running,
      ResourceRef owner,
      ClusterObjects objects,
      @Nullable String lastJobId) {
    Deployment deployment = deployment(objects, owner).orElse(null);
    String prepared =
        configuration(running, owner, objects.configMaps())
            .map(ClusterAnnotations::jobId)
            .orElse(null);
    String jobId = deployment == null ? null : ClusterAnnotations.jobId(deployment);
    return new ClusterObservation(
        running.ref(),
        deployment != null,
        deployment == null ? null : ClusterAnnotations.generation(deployment),
        jobId,
        // a configuration that somebody deleted does not make a job that was seen unseen
        prepared == null ? lastJobId : prepared,
        JobManagerEvidence.of(deployment, objects.pods()),
        HighAvailabilityMetadata.evidence(
            running.ref(),
            HighAvailabilityMode.of(running.configuration()).isOn(),
            jobId == null ? prepared : jobId,
            objects.configMaps()),
        objects.pods().size(),
        PodProblems.first(objects.pods(), objects.running(owner)),
        JobManagerEvidence.isStopped(objects.pods()));
  }

  /**
   * The jobs of a session cluster that its high-availability metadata has, and that a JobManager
   * brings back; empty without high availability.
   */
  public static List<String> jobsInMetadata(RunningCluster running, ClusterObjects objects) {
    return HighAvailabilityMode.of(running.configuration()).isOn()
        ? HighAvailabilityMetadata.jobs(running.ref(), objects.configMaps())
        : List.of();
  }

  /** The JobManager Deployment of this instance, unless it is being deleted. */
  public static Optional<Deployment> deployment(ClusterObjects objects, ResourceRef owner) {
    return objects.deployment().filter(found -> Ownership.isRunning(found, owner));
  }

  /**
   * Whether there is no trace of a cluster of this instance. The pods of a Deployment that belongs
   * to somebody else are none: as long as that has the name, there can be none of ours.
   */
  public static boolean isNone(ClusterObjects objects, RunningCluster cluster, ResourceRef owner) {
    Optional<Ownership> holder = objects.deployment().map(it -> Ownership.of(it, owner));
    return holder.filter(it -> it == Ownership.OURS).isEmpty()
        && (objects.pods().isEmpty() || holder.isPresent())
        && configuration(cluster, owner, objects.configMaps()).isEmpty();
  }

  /** Why there is no JobManager Deployment of this instance. */
  public static String absence(ClusterObjects objects, ResourceRef owner) {
    return objects
        .deployment()
        .map(
            there ->
                Ownership.of(there, owner) == Ownership.OURS
                    ? "the JobManager Deployment is being deleted"
                    : Ownership.owners(there))
        .orElse("the JobManager Deployment is missing");
  }

  private static Optional<ConfigMap> configuration(
      RunningCluster cluster, ResourceRef owner, List<ConfigMap> configMaps) {
    String name = ClusterManifests.configurationName(cluster.ref().clusterId());
    return configMaps.stream()
        .filter(map -> map.getMetadata().getName().equals(name))
        .filter(map -> Ownership.of(map, owner) == Ownership.OURS)
        .findFirst();
  }
}
