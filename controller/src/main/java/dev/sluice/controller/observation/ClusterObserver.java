package dev.sluice.controller.observation;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.api.Labels;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ProcessSizes.Size;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Derives the state of a cluster from its Kubernetes objects. Pure. */
public final class ClusterObserver {

  private ClusterObserver() {}

  /**
   * The cluster of one instance of a resource.
   *
   * @param ownerUid of the resource: what belongs to an earlier one of the same name is not counted
   * @param deployments Deployments with the cluster's label
   * @param pods pods with the cluster's label
   */
  public static ObservedCluster of(
      String ownerUid, Collection<Deployment> deployments, Collection<Pod> pods, Instant now) {
    List<Deployment> alive = alive(deployments);
    return alive.stream()
        .filter(deployment -> belongsTo(deployment, ownerUid) && !isOfTaskManagers(deployment))
        .findFirst()
        .map(
            deployment -> {
              Optional<Deployment> taskManagers = taskManagers(alive, deployment, ownerUid);
              return of(
                  deployment,
                  taskManagers,
                  pods,
                  ClusterProblems.of(deployment, taskManagers, pods, now));
            })
        .orElse(ObservedCluster.NONE);
  }

  /**
   * The Deployment of the TaskManagers of one instance of a resource, in standalone mode, while its
   * JobManager is to run.
   *
   * @param deployments Deployments with the cluster's label
   */
  public static Optional<Deployment> taskManagers(
      String ownerUid, Collection<Deployment> deployments) {
    List<Deployment> alive = alive(deployments);
    return alive.stream()
        .filter(deployment -> belongsTo(deployment, ownerUid) && !isOfTaskManagers(deployment))
        .filter(deployment -> replicas(deployment) > 0)
        .findFirst()
        .flatMap(deployment -> taskManagers(alive, deployment, ownerUid));
  }

  /**
   * The port at which the REST API of a cluster that is there answers, which is that of its Service
   * {@code <name>-rest}: while a job is stopped for an upgrade, the spec may already name another
   * one. Empty when the resource has no such Service.
   *
   * @param services the informer's
   */
  public static Optional<Integer> restPort(ResourceRef resource, Collection<Service> services) {
    return services.stream()
        .filter(service -> service.getMetadata().getName().equals(resource.name() + "-rest"))
        .filter(service -> service.getMetadata().getDeletionTimestamp() == null)
        .filter(service -> Ownership.of(service, resource) == Ownership.OURS)
        .flatMap(service -> service.getSpec().getPorts().stream())
        .findFirst()
        .map(ServicePort::getPort);
  }

  private static List<Deployment> alive(Collection<Deployment> deployments) {
    return deployments.stream()
        .filter(deployment -> deployment.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  /** Apache's operator makes the resource their owner. */
  private static Optional<Deployment> taskManagers(
      List<Deployment> alive, Deployment jobManager, String uid) {
    return alive.stream()
        .filter(ClusterObserver::isOfTaskManagers)
        .filter(found -> Ownership.isOwnedBy(found, jobManager) || belongsTo(found, uid))
        .findFirst();
  }

  private static boolean isOfTaskManagers(Deployment deployment) {
    return Labels.COMPONENT_TASK_MANAGER.equals(Labels.of(deployment, Labels.COMPONENT));
  }

  private static boolean isStandalone(Deployment deployment) {
    return Labels.TYPE_STANDALONE.equals(Labels.of(deployment, Labels.TYPE));
  }

  /** Apache's operator sets the same reference. A name alone proves nothing. */
  private static boolean belongsTo(Deployment deployment, String uid) {
    return deployment.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> uid.equals(owner.getUid()));
  }

  private static ObservedCluster of(
      Deployment deployment,
      Optional<Deployment> taskManagers,
      Collection<Pod> pods,
      ClusterHealth health) {
    List<Pod> jobManagers =
        pods.stream()
            .filter(pod -> Labels.COMPONENT_JOB_MANAGER.equals(Labels.of(pod, Labels.COMPONENT)))
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
            .toList();
    boolean ready = jobManagers.stream().anyMatch(ClusterObserver::isReady);
    return new ObservedCluster(
        jobManager(deployment, ready, health),
        ClusterAnnotations.jobId(deployment),
        ClusterAnnotations.generation(deployment),
        taskManagers.isEmpty() && isStandalone(deployment),
        health,
        sizes(deployment, taskManagers, pods),
        jobManagers.stream()
            .filter(ClusterObserver::isReady)
            .map(ClusterObserver::process)
            .sorted()
            .collect(Collectors.joining(" ")));
  }

  private static JobManager jobManager(Deployment deployment, boolean ready, ClusterHealth health) {
    if (replicas(deployment) == 0) {
      return JobManager.STOPPED;
    }
    if (ready) {
      return JobManager.RUNNING;
    }
    return health.jobManager().filter(ClusterProblem::lasting).isPresent()
        ? JobManager.FAILING
        : JobManager.STARTING;
  }

  /** 1 where it does not say, as for Kubernetes. */
  private static int replicas(Deployment deployment) {
    return Optional.ofNullable(deployment.getSpec()).map(DeploymentSpec::getReplicas).orElse(1);
  }

  private static ProcessSizes sizes(
      Deployment deployment, Optional<Deployment> taskManagers, Collection<Pod> pods) {
    var spec = deployment.getSpec();
    if (spec == null || spec.getTemplate() == null) {
      return ProcessSizes.NONE;
    }
    return new ProcessSizes(
        Size.of(spec.getTemplate().getSpec()).times(replicas(deployment)),
        pods.stream()
            .filter(pod -> Labels.COMPONENT_TASK_MANAGER.equals(Labels.of(pod, Labels.COMPONENT)))
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
            .max(Comparator.comparing(pod -> pod.getMetadata().getName()))
            .map(pod -> Size.of(pod.getSpec()))
            .orElse(null),
        taskManagers.map(ClusterObserver::replicas).orElse(null));
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  private static String process(Pod pod) {
    return pod.getMetadata().getUid()
        + "/"
        + containers(pod).mapToInt(status -> orZero(status.getRestartCount())).sum();
  }

  private static Stream<ContainerStatus> containers(Pod pod) {
    return pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
        ? Stream.empty()
        : pod.getStatus().getContainerStatuses().stream();
  }

  private static int orZero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }
}
