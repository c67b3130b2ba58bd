package dev.sluice.activities.application;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.Colour;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is there of an application's versions. Blocks. */
final class VersionInventory {

  private final KubernetesClient client;
  private final VersionReader reader;
  private final VersionMembership membership = new VersionMembership();

  VersionInventory(KubernetesClient client, VersionReader reader) {
    this.client = client;
    this.reader = reader;
  }

  /**
   * @param onCluster the versions of the application on the cluster of that version, itself
   *     included: in place, a Deployment is labelled with either hash while the other one is not
   *     yet
   */
  VersionLook look(ResourceRef application, VersionRef version, List<VersionRef> onCluster) {
    ClusterRef cluster = new ClusterRef(application.namespace(), version.cluster());
    List<Deployment> deployments = reader.deployments(cluster);
    List<Pod> pods = reader.pods(cluster);
    Deployment jobManager =
        one(deployments, it -> membership.isJobManagers(it, cluster), application, onCluster);
    Deployment taskManagers =
        one(deployments, it -> membership.isTaskManagers(it, cluster), application, onCluster);
    return new VersionLook(
        jobManager,
        taskManagers,
        pods,
        PodProblems.of(pods, deployments).stream()
            .map(PodProblem::message)
            .findFirst()
            .orElse(null),
        jobManager != null && isServed(application, version, jobManager));
  }

  private static @Nullable Deployment one(
      List<Deployment> all,
      Predicate<Deployment> which,
      ResourceRef application,
      List<VersionRef> onCluster) {
    return all.stream()
        .filter(which)
        .filter(it -> Ownership.of(it, application) == Ownership.OURS)
        .filter(it -> onCluster.stream().anyMatch(each -> VersionObjects.isOf(it, each)))
        .findFirst()
        .orElse(null);
  }

  private boolean isServed(ResourceRef application, VersionRef version, Deployment jobManager) {
    String name = VersionNames.generic(application.name(), version.colour());
    Service service =
        KubernetesFailure.translate(
            "read Service " + application.namespace() + "/" + name,
            () -> client.services().inNamespace(application.namespace()).withName(name).get());
    String selector = VersionObjects.podSelector(jobManager);
    return service != null
        && selector != null
        && selector.equals(VersionObjects.podSelector(service.getSpec().getSelector()));
  }

  List<VersionRef> leftovers(ResourceRef application, Set<String> but) {
    Map<String, VersionRef> found = new LinkedHashMap<>();
    ours(application)
        .forEach(
            deployment ->
                Optional.ofNullable(version(application, deployment))
                    .filter(version -> !but.contains(version.cluster()))
                    .ifPresent(version -> found.putIfAbsent(version.cluster(), version)));
    return List.copyOf(found.values());
  }

  Optional<VersionRef> labelled(ResourceRef application, String hash) {
    return ours(application)
        .filter(it -> hash.equals(Labels.of(it, ApplicationLabels.FLINK_APP_HASH)))
        .map(it -> version(application, it))
        .filter(Objects::nonNull)
        .findFirst();
  }

  private Stream<Deployment> ours(ResourceRef application) {
    return reader.ofApplication(application.namespace(), application.name()).stream()
        .filter(it -> Ownership.of(it, application) == Ownership.OURS);
  }

  /** As its Deployment says; null of one that says nothing. */
  private @Nullable VersionRef version(ResourceRef application, Deployment deployment) {
    String hash = Labels.of(deployment, ApplicationLabels.FLINK_APP_HASH);
    String cluster = membership.cluster(deployment);
    if (hash == null || cluster.isEmpty()) {
      return null;
    }
    String colour = Labels.of(deployment, ApplicationLabels.FLINK_APPLICATION_VERSION);
    return new VersionRef(
        hash,
        VersionObjects.fullHash(deployment),
        cluster.substring(application.namespace().length() + 1),
        Arrays.stream(Colour.values())
            .filter(it -> it.wire().equals(colour))
            .findFirst()
            .orElse(null),
        Objects.requireNonNullElse(ClusterAnnotations.generation(deployment), 0L),
        null,
        VersionObjects.fullHash(deployment) == null);
  }
}
