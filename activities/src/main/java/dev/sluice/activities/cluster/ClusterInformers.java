package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pods and Deployments of all Flink clusters, watched. Every change wakes the waits of its cluster.
 * It starts while the API server is away, and catches up when it is back.
 */
public final class ClusterInformers implements ClusterCache, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterInformers.class);
  private static final String BY_CLUSTER = "cluster";

  private final List<SharedIndexInformer<Pod>> pods = new ArrayList<>();
  private final List<SharedIndexInformer<Deployment>> deployments = new ArrayList<>();

  private final ClusterMembership membership;

  private ClusterInformers(ClusterMembership membership) {
    this.membership = membership;
  }

  /**
   * Starts watching.
   *
   * @param namespaces which; empty for all
   * @param wake is called with {@code namespace/name} of a cluster that changed
   */
  public static ClusterInformers start(
      KubernetesClient client, Set<String> namespaces, Consumer<String> wake) {
    return start(client, namespaces, wake, ClusterMembership.OF_FLINK);
  }

  /**
   * Starts watching clusters of another kind.
   *
   * @param membership tells what belongs to which
   */
  public static ClusterInformers start(
      KubernetesClient client,
      Set<String> namespaces,
      Consumer<String> wake,
      ClusterMembership membership) {
    ClusterInformers informers = new ClusterInformers(membership);
    if (namespaces.isEmpty()) {
      informers.watch(client.pods().inAnyNamespace(), informers.pods, wake);
      informers.watch(client.apps().deployments().inAnyNamespace(), informers.deployments, wake);
    }
    for (String namespace : namespaces) {
      informers.watch(in(client.pods(), namespace), informers.pods, wake);
      informers.watch(in(client.apps().deployments(), namespace), informers.deployments, wake);
    }
    return informers;
  }

  private static <T extends HasMetadata, L extends KubernetesResourceList<T>, R extends Resource<T>>
      AnyNamespaceOperation<T, L, R> in(MixedOperation<T, L, R> all, String namespace) {
    return all.inNamespace(namespace);
  }

  private <T extends HasMetadata> void watch(
      AnyNamespaceOperation<T, ?, ?> all,
      List<SharedIndexInformer<T>> into,
      Consumer<String> wake) {
    SharedIndexInformer<T> informer =
        all.withLabelSelector(membership.selector())
            .runnableInformer(0)
            .removeNamespaceIndex()
            .addIndexers(Map.of(BY_CLUSTER, object -> List.of(membership.cluster(object))))
            .addEventHandler(waking(wake))
            .exceptionHandler(ClusterInformers::tryAgain);
    into.add(informer);
    informer.start();
  }

  private <T extends HasMetadata> ResourceEventHandler<T> waking(Consumer<String> wake) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        wake.accept(membership.cluster(object));
      }

      @Override
      public void onUpdate(@Nullable T before, T object) {
        onAdd(object);
      }

      @Override
      public void onDelete(T object, boolean lastStateUnknown) {
        onAdd(object);
      }
    };
  }

  /** The first list may fail, too: a worker that starts before its API server waits for it. */
  private static boolean tryAgain(boolean started, Throwable failure) {
    LOG.warn("pods or Deployments are not watched, trying again: {}", failure.toString());
    return true;
  }

  @Override
  public Optional<Deployment> deployment(ClusterRef cluster) {
    return of(deployments, cluster)
        .filter(found -> membership.isJobManagers(found, cluster))
        .findFirst();
  }

  @Override
  public Optional<Deployment> taskManagers(ClusterRef cluster) {
    return of(deployments, cluster)
        .filter(found -> membership.isTaskManagers(found, cluster))
        .findFirst();
  }

  @Override
  public List<Pod> pods(ClusterRef cluster) {
    return of(pods, cluster).filter(membership::isPod).toList();
  }

  private static <T extends HasMetadata> Stream<T> of(
      List<SharedIndexInformer<T>> informers, ClusterRef cluster) {
    return informers.stream()
        .flatMap(informer -> informer.getIndexer().byIndex(BY_CLUSTER, cluster.display()).stream());
  }

  @Override
  public boolean synced() {
    return problem().isEmpty();
  }

  /** What is wrong with the watches, for a health check; empty when all of them are up. */
  public Optional<String> problem() {
    return all().allMatch(informer -> informer.hasSynced() && informer.isWatching())
        ? Optional.empty()
        : Optional.of("pods and Deployments are not watched: the API server does not answer");
  }

  private Stream<SharedIndexInformer<?>> all() {
    return Stream.concat(pods.stream(), deployments.stream());
  }

  @Override
  public void close() {
    all().forEach(SharedIndexInformer::stop);
  }
}
