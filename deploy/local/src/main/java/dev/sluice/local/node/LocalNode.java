package dev.sluice.local.node;

import dev.sluice.local.node.fault.FaultState;
import dev.sluice.local.node.fault.Faults;
import dev.sluice.local.node.loop.Worklist;
import dev.sluice.local.node.pod.Departed;
import dev.sluice.local.node.pod.PodApi;
import dev.sluice.local.node.pod.PodHouse;
import dev.sluice.local.node.pod.PodWorker;
import dev.sluice.local.node.schedule.Scheduling;
import dev.sluice.local.node.service.Services;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the node does about each thing it looks at: a pod by its uid, the Services, the faults. What
 * it hears of comes in by {@link #seen}, {@link #gone} and {@link #synced}.
 */
final class LocalNode implements Worklist.Worker {
  /** Keys that are no uid. */
  static final String SERVICES = "services";

  static final String FAULTS = "faults";

  private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);

  private final String name;
  private final PodHouse house;
  private final PodApi api;
  private final Services services;
  private final FaultState faults;
  private final Worklist worklist;
  private final Map<String, Seen> pods = new ConcurrentHashMap<>();
  private volatile boolean synced;

  private record Seen(Pod pod, boolean gone) {}

  LocalNode(
      String name,
      PodHouse house,
      PodApi api,
      Services services,
      FaultState faults,
      Worklist worklist) {
    this.name = name;
    this.house = house;
    this.api = api;
    this.services = services;
    this.faults = faults;
    this.worklist = worklist;
  }

  /** A pod is there, or has changed. */
  void seen(Pod pod) {
    pods.put(pod.getMetadata().getUid(), new Seen(pod, false));
    worklist.add(pod.getMetadata().getUid());
    worklist.add(SERVICES);
  }

  /** A pod is there no more. */
  void gone(Pod pod) {
    pods.put(pod.getMetadata().getUid(), new Seen(pod, true));
    worklist.add(pod.getMetadata().getUid());
    worklist.add(SERVICES);
  }

  /** All pods there are have been seen: others that the node has are gone. */
  void synced() {
    synced = true;
    addAll();
  }

  /** Has everything looked at. */
  void addAll() {
    house.uids().forEach(worklist::add);
    pods.keySet().forEach(worklist::add);
  }

  @Override
  public void work(String key) throws Exception {
    switch (key) {
      case SERVICES -> services.apply(livePods(), faults.current()).get();
      case FAULTS -> takeUpFaults();
      default -> pod(key);
    }
  }

  private Collection<Pod> livePods() {
    return pods.values().stream().filter(seen -> !seen.gone()).map(Seen::pod).toList();
  }

  private void takeUpFaults() throws IOException, InterruptedException, ExecutionException {
    Faults next = faults.read();
    services.apply(livePods(), next).get();
    addAll();
    faults.takenUp(next);
    LOG.info("Faults: {}", next);
  }

  private void pod(String uid) throws IOException, InterruptedException {
    Seen seen = pods.get(uid);
    PodWorker worker = house.get(uid);
    if (seen == null && worker != null && synced) {
      seen = new Seen(Departed.pod(worker.record(), worker.folder()), true);
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

  private static boolean over(Pod pod) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return "Succeeded".equals(phase) || "Failed".equals(phase);
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
      Scheduling scheduling = Scheduling.of(pod, faults.current());
      if (scheduling instanceof Scheduling.Bind) {
        api.bind(pod);
      } else if (scheduling instanceof Scheduling.Hold hold) {
        api.unscheduled(pod, hold.message());
      }
      return null;
    }
    if (!node.equals(name) || over(pod)) {
      return null;
    }
    LOG.info("Pod {}/{} is taken", pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    return house.take(pod);
  }
}
