package dev.sluice.controller.application;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.workflows.application.VersionRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of a version as its Deployments and pods show it, without asking Flink.
 *
 * @param complete both Deployments are there
 * @param answerable a pod of the JobManager is ready
 * @param taskManagers how many there are to be; null without a Deployment
 * @param problem the first thing that is wrong with its pods; null while nothing is
 * @param lasting whether that does not pass by itself
 */
record VersionCluster(
    boolean complete,
    boolean answerable,
    @Nullable Integer taskManagers,
    @Nullable String problem,
    boolean lasting) {

  /** No Deployment. */
  static final VersionCluster NONE = new VersionCluster(false, false, null, null, false);

  /**
   * That of a version of one instance of an application.
   *
   * @param uid of the application: a name alone proves nothing
   */
  static VersionCluster of(
      String uid, VersionRef version, Collection<Deployment> deployments, Collection<Pod> pods) {
    Optional<Deployment> jobManager = find(uid, VersionNames.jobManager(version), deployments);
    Optional<Deployment> taskManager = find(uid, VersionNames.taskManagers(version), deployments);
    List<Deployment> all = Stream.of(jobManager, taskManager).flatMap(Optional::stream).toList();
    if (all.isEmpty()) {
      return NONE;
    }
    List<Pod> own =
        pods.stream().filter(pod -> all.stream().anyMatch(it -> isOf(pod, it))).toList();
    Optional<PodProblem> problem = PodProblems.of(own, all).stream().findFirst();
    return new VersionCluster(
        all.size() == 2,
        jobManager.filter(it -> available(it) > 0).isPresent(),
        taskManager.map(VersionCluster::replicas).orElse(null),
        problem.map(PodProblem::message).orElse(null),
        problem.filter(PodProblem::lasting).isPresent());
  }

  private static Optional<Deployment> find(
      String uid, String name, Collection<Deployment> deployments) {
    return deployments.stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(
            it ->
                it.getMetadata().getOwnerReferences().stream()
                    .anyMatch(owner -> uid.equals(owner.getUid())))
        .findFirst();
  }

  private static boolean isOf(Pod pod, Deployment deployment) {
    Map<String, String> selected = deployment.getSpec().getSelector().getMatchLabels();
    String selector =
        selected == null ? null : selected.get(ApplicationLabels.POD_DEPLOYMENT_SELECTOR);
    return selector != null
        && selector.equals(Labels.of(pod, ApplicationLabels.POD_DEPLOYMENT_SELECTOR));
  }

  private static int replicas(Deployment deployment) {
    return Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
  }

  private static int available(Deployment deployment) {
    return Optional.ofNullable(deployment.getStatus())
        .map(DeploymentStatus::getAvailableReplicas)
        .orElse(0);
  }
}
