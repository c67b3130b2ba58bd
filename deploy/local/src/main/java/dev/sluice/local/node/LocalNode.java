package dev.sluice.local.node;

import dev.sluice.local.node.pod.PodApi;
import dev.sluice.local.node.pod.PodHouse;
import dev.sluice.local.node.pod.PodWorker;
import dev.sluice.local.node.service.HostsFiles;
import dev.sluice.local.node.service.ServiceNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the node hears of from the API server, and what it does about each thing it looks at: a pod
 * by its uid, and the Services.
 */
final class LocalNode {
  /** A key that is no uid. */
  private static final String SERVICES = "services";

  private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);

  private final String name;
  private final PodHouse house;
  private final PodApi api;
  private final HostsFiles hosts;
  private final Worklist worklist;
  private final Map<String, Seen> pods = new ConcurrentHashMap<>();
  private final Map<String, Service> services = new ConcurrentHashMap<>();
  private volatile boolean synced;

  private record Seen(Pod pod, boolean gone) {}

  LocalNode(String name, PodHouse house, PodApi api, HostsFiles hosts, Worklist worklist) {
    this.name = name;
    this.house = house;
    this.api = api;
    this.hosts = hosts;
    this.worklist = worklist;
  }

  /** Begins to hear from the API server of pods and Services. */
  void watch(KubernetesClient client) {
    watch(client.services().inAnyNamespace(), this::seen);
    // all pods there are have been seen then: others that the node has are gone
    watch(client.pods().inAnyNamespace(), this::seen)
        .thenRun(
            () -> {
              synced = true;
              addAll();
            });
  }

  /**
   * Watches until the process ends.
   *
   * @param changed told the object, and whether it is gone
   */
  static <T> CompletionStage<Void> watch(Informable<T> which, BiConsumer<T, Boolean> changed) {
    SharedIndexInformer<T> informer = which.runnableInformer(0);
    informer.exceptionHandler(
        (started, e) -> {
          LOG.warn("Watching failed, trying again: {}", e.getMessage());
          return true;
        });
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(T object) {
            changed.accept(object, false);
          }

          @Override
          public void onUpdate(T before, T after) {
            changed.accept(after, false);
          }

          @Override
          public void onDelete(T object, boolean unknownFinalState) {
            changed.accept(object, true);
          }
        });
    return informer.start();
  }

  private void seen(Pod pod, boolean gone) {
    pods.put(pod.getMetadata().getUid(), new Seen(pod, gone));
    worklist.add(pod.getMetadata().getUid());
    worklist.add(SERVICES);
  }

  private void seen(Service service, boolean gone) {
    String uid = service.getMetadata().getUid();
    if (gone) {
      services.remove(uid);
    } else {
      services.put(uid, service);
      if (ServiceNames.changesPorts(service)) {
        LOG.warn(
            "Service {}/{} changes ports, but on this node its name leads to its pods' own",
            service.getMetadata().getNamespace(),
            service.getMetadata().getName());
      }
    }
    worklist.add(SERVICES);
  }

  /** Has everything looked at. */
  void addAll() {
    house.uids().forEach(worklist::add);
    pods.keySet().forEach(worklist::add);
  }

  /** Has a pod looked at. */
  void look(String uid) {
    worklist.add(uid);
  }

  /** Looks at a pod or at the Services. */
  void work(String key) throws IOException, InterruptedException {
    if (key.equals(SERVICES)) {
      hosts.write(services.values(), livePods());
    } else {
      pod(key);
    }
  }

  private Collection<Pod> livePods() {
    return pods.values().stream().filter(seen -> !seen.gone()).map(Seen::pod).toList();
  }

  private void pod(String uid) throws IOException, InterruptedException {
    Seen seen = pods.get(uid);
    PodWorker worker = house.get(uid);
    if (seen == null && worker != null && synced) {
      seen = new Seen(worker.record().pod(), true);
    }
    if (seen == null) {
      return;
    }
    if (worker == null) {
      worker = newcomer(seen);
    }
    if (worker == null) {
      return;
    }
    worker.work(seen.pod(), seen.gone()).ifPresent(next -> worklist.addAt(uid, next));
    if (worker.forgotten()) {
      pods.remove(uid);
      house.release(worker);
      LOG.info("Pod {} has ended", worker.record().name());
    }
  }

  /** Binds a pod that has no node, takes one that has this node. */
  private @Nullable PodWorker newcomer(Seen seen) throws IOException {
    Pod pod = seen.pod();
    if (seen.gone()) {
      pods.remove(pod.getMetadata().getUid());
      return null;
    }
    String node = pod.getSpec().getNodeName();
    if (node == null || node.isEmpty()) {
      if (bindable(pod)) {
        api.bind(pod);
      }
      return null;
    }
    if (!node.equals(name) || over(pod)) {
      return null;
    }
    LOG.info("Pod {}/{} is taken", pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    return house.take(pod);
  }

  /** Requests and limits are not looked at: processes of this machine need far less. */
  private static boolean bindable(Pod pod) {
    var gates = pod.getSpec().getSchedulingGates();
    return (gates == null || gates.isEmpty()) && pod.getMetadata().getDeletionTimestamp() == null;
  }

  private static boolean over(Pod pod) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }
}
