package dev.sluice.local.node.pod;

import dev.sluice.local.node.container.Images;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.service.Addresses;
import dev.sluice.local.node.service.HostsFiles;
import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pod: binds it when it has no node, and takes it when it has this one. From then on it looks,
 * says what it sees in the status, decides, acts, and looks again until there is nothing to do.
 */
public final class PodWorker {
  private static final Logger LOG = LoggerFactory.getLogger(PodWorker.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final String name;
  private final Shared shared;
  private final WakeLoop loop;
  private final Map<String, ContainerWorker> containers = new HashMap<>();
  private volatile @Nullable Seen seen;
  private volatile @Nullable PodRecord record;
  private volatile boolean forgotten;
  private @Nullable String address;
  private @Nullable PodStatus written;
  private boolean removalAsked;

  /**
   * What all pods share.
   *
   * @param env what every container finds in its environment
   * @param work looks at pods
   * @param probes runs probes, which block for up to their timeout
   * @param pulls makes images ready, one at a time
   */
  public record Shared(
      PodApi api,
      StateFolder state,
      Addresses addresses,
      HostsFiles hosts,
      Images images,
      Map<String, String> env,
      ScheduledExecutorService work,
      ScheduledExecutorService probes,
      Executor pulls,
      Clock clock,
      Duration longestDelay) {}

  /**
   * @param pod as the API server last had it
   * @param gone whether the API server has it no more
   */
  private record Seen(Pod pod, boolean gone) {}

  public PodWorker(Pod pod, Shared shared) {
    this.name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    this.shared = shared;
    this.loop = new WakeLoop("Pod " + name, shared.work(), this::look);
  }

  /** A pod that an earlier node has left; its processes run on. */
  public static PodWorker adopt(PodRecord record, Shared shared) throws IOException {
    for (Attempt attempt : shared.state().attempts(record)) {
      if (attempt.giveUp()) {
        Trees.delete(attempt.dir()); // a start that the earlier node did not live to make
      }
    }
    shared.addresses().occupy(record.ip());
    PodWorker worker = new PodWorker(record.pod(), shared);
    worker.record = record;
    return worker;
  }

  /** What the node remembers of the pod; empty when it has not taken it. */
  public Optional<PodRecord> record() {
    return Optional.ofNullable(record);
  }

  /** Whether the pod is gone and nothing of it is left to be done. */
  public boolean forgotten() {
    return forgotten;
  }

  public void seen(Pod pod, boolean gone) {
    seen = new Seen(pod, gone);
    loop.wake();
  }

  /** Hears that the API server does not have the pod. */
  public void missing() {
    record().ifPresent(known -> seen(known.pod(), true));
  }

  public void wake() {
    loop.wake();
  }

  private Optional<Duration> look() throws IOException, InterruptedException {
    Seen latest = seen;
    if (latest == null || forgotten) {
      return Optional.empty();
    }
    PodRecord known = record;
    if (known == null) {
      known = admit(latest);
    }
    return known == null ? Optional.empty() : sync(known, latest);
  }

  /** Binds a pod that has no node, takes one that has this node. */
  private @Nullable PodRecord admit(Seen latest) throws IOException {
    Pod pod = latest.pod();
    forgotten = latest.gone();
    String node = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    if (!forgotten && node.isEmpty() && bindable(pod)) {
      shared.api().bind(pod);
    }
    if (forgotten || !node.equals(shared.api().node()) || HostsFiles.hasEnded(pod)) {
      return null;
    }
    String ip = Objects.requireNonNullElseGet(address, shared.addresses()::take);
    address = ip; // the same when the record cannot be written at the first time
    PodRecord taken = new PodRecord(pod, ip, shared.clock().millis());
    shared.state().write(taken);
    record = taken;
    LOG.info("Pod {} is taken", name);
    return taken;
  }

  /** Requests and limits are not looked at: processes of this machine need far less. */
  private static boolean bindable(Pod pod) {
    return pod.getSpec().getSchedulingGates().isEmpty()
        && pod.getMetadata().getDeletionTimestamp() == null;
  }

  private Optional<Duration> sync(PodRecord known, Seen latest)
      throws IOException, InterruptedException {
    while (true) {
      Instant now = shared.clock().instant();
      PodView view = view(known, latest, now);
      boolean told = publish(view, now);
      Instant next = told ? Instant.MAX : now.plus(RETRY);
      boolean acted = false;
      for (PodDecision.Action action : PodDecision.of(view, now, shared.longestDelay())) {
        if (action instanceof PodDecision.LookAgain again) {
          next = again.at().isBefore(next) ? again.at() : next;
        } else if (told || !(action instanceof PodDecision.Remove)) {
          perform(action, known, latest.pod(), now);
          acted = true;
        }
      }
      if (!acted || forgotten) {
        return next.equals(Instant.MAX)
            ? Optional.empty()
            : Optional.of(Duration.between(shared.clock().instant(), next));
      }
    }
  }

  private PodView view(PodRecord known, Seen latest, Instant now) throws IOException {
    Pod pod = latest.pod();
    return new PodView(
        pod,
        latest.gone(),
        known.ip(),
        Instant.ofEpochMilli(known.admittedMillis()),
        removalAsked,
        views(known, pod.getSpec().getInitContainers(), now),
        views(known, pod.getSpec().getContainers(), now));
  }

  private List<ContainerView> views(PodRecord known, List<Container> list, Instant now)
      throws IOException {
    List<ContainerView> views = new ArrayList<>();
    for (Container container : list) {
      containers.computeIfAbsent(
          container.getName(), key -> new ContainerWorker(known, container, shared, loop::wake));
      views.add(worker(container.getName()).view(now));
    }
    return views;
  }

  private ContainerWorker worker(String container) {
    return Objects.requireNonNull(containers.get(container), container);
  }

  /** False when the API server could not be told. */
  private boolean publish(PodView view, Instant now) {
    if (view.gone() || removalAsked) {
      return true;
    }
    PodStatus status = new PodStatuses(view, now).status();
    if (status.equals(written)) {
      return true;
    }
    try {
      shared.api().writeStatus(view.pod(), status);
      written = status;
      return true;
    } catch (KubernetesClientException e) {
      LOG.warn("The status of pod {} could not be written: {}", name, e.getMessage());
      return false;
    }
  }

  private void perform(PodDecision.Action action, PodRecord known, Pod pod, Instant now)
      throws IOException, InterruptedException {
    if (action instanceof PodDecision.Start start) {
      worker(start.container()).start(pod, start);
    } else if (action instanceof PodDecision.Terminate terminate) {
      worker(terminate.container()).terminate(terminate.why(), now);
    } else if (action instanceof PodDecision.Kill kill) {
      worker(kill.container()).kill();
    } else if (action instanceof PodDecision.Remove) {
      shared.api().remove(pod);
      removalAsked = true;
    } else if (action instanceof PodDecision.Forget) {
      shared.state().archive(known);
      shared.addresses().giveBack(known.ip());
      forgotten = true;
      LOG.info("Pod {} has ended", name);
    }
  }
}
