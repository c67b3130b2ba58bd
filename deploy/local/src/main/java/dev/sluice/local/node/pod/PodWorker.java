package dev.sluice.local.node.pod;

import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.container.StartProblem;
import dev.sluice.local.node.image.Image;
import dev.sluice.local.node.image.ImagePullException;
import dev.sluice.local.node.image.Images;
import dev.sluice.local.node.pod.ContainerView.Blocked;
import dev.sluice.local.node.probe.ContainerProbes;
import dev.sluice.local.node.probe.Health;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.ProcessState;
import dev.sluice.local.node.process.ProcessState.Ended;
import dev.sluice.local.node.process.ProcessState.Running;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one pod: looks, says what it sees in the status, decides, acts, and looks again until there
 * is nothing to do. Called by one thread at a time.
 */
public final class PodWorker {
  private static final Logger LOG = LoggerFactory.getLogger(PodWorker.class);
  private static final Duration RETRY = Duration.ofMillis(250);
  private static final Duration LAST_RETRY = Duration.ofSeconds(2);
  private static final Duration PULL_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_PULL_RETRY = Duration.ofSeconds(30);

  /** Longer than any pull takes. */
  private static final Duration PULLING = Duration.ofHours(1);

  private final PodRecord record;
  private final Path folder;
  private final Shared shared;
  private final Map<String, Ending> endings = new HashMap<>();
  private final Map<String, Image> pulled = new ConcurrentHashMap<>();
  private final Map<String, Blocked> blocked = new ConcurrentHashMap<>();
  private final Map<String, Duration> retries = new ConcurrentHashMap<>();
  private final Map<String, ContainerProbes> probes = new HashMap<>();
  private @Nullable PodStatus written;
  private boolean removalAsked;
  private boolean forgotten;

  /**
   * What all pods share.
   *
   * @param pulls makes images ready, one at a time
   * @param timer hands probes on
   * @param checks runs probes, which block for up to their timeout
   * @param wake has a pod looked at again, by its uid
   */
  public record Shared(
      PodApi api,
      PodDecision decision,
      ContainerStarts starts,
      Images images,
      Executor pulls,
      ScheduledExecutorService timer,
      Executor checks,
      Consumer<String> wake,
      Clock clock) {}

  /** What only the node itself knows of an attempt, and may forget when it is killed. */
  private record Ending(int attempt, Instant asked, boolean killed) {}

  PodWorker(PodRecord record, Path folder, Shared shared) {
    this.record = record;
    this.folder = folder;
    this.shared = shared;
  }

  /** What the node remembers of the pod. */
  public PodRecord record() {
    return record;
  }

  /** Its folder. */
  public Path folder() {
    return folder;
  }

  /** Whether the pod is gone and nothing of it is left to be done. */
  public boolean forgotten() {
    return forgotten;
  }

  /**
   * Brings the pod on as far as it goes now.
   *
   * @param pod as the API server last had it
   * @param gone whether the API server has it no more
   * @return when to call again if nothing happens before; empty for never
   */
  public Optional<Instant> work(Pod pod, boolean gone) throws IOException, InterruptedException {
    while (true) {
      Instant now = shared.clock().instant();
      PodView view = view(pod, gone, now);
      Instant next = publish(view, now) ? null : now.plusSeconds(1);
      boolean acted = false;
      for (PodAction action : shared.decision().decide(view, now)) {
        if (action instanceof PodAction.LookAgain again) {
          next = next == null || again.at().isBefore(next) ? again.at() : next;
        } else {
          perform(action, pod, now);
          acted = true;
        }
      }
      if (!acted || forgotten) {
        return Optional.ofNullable(next);
      }
    }
  }

  private PodView view(Pod pod, boolean gone, Instant now) throws IOException {
    Map<String, ContainerView> views = new LinkedHashMap<>();
    PodView view =
        new PodView(
            pod,
            gone,
            record.ip(),
            Instant.ofEpochMilli(record.admittedMillis()),
            removalAsked,
            views);
    for (Container container :
        Stream.concat(view.initContainers().stream(), view.mainContainers().stream()).toList()) {
      views.put(container.getName(), view(container, now));
    }
    return view;
  }

  private ContainerView view(Container container, Instant now) throws IOException {
    String name = container.getName();
    ContainerFolder folders = new ContainerFolder(folder.resolve(name));
    Attempt newest = folders.newest().orElse(null);
    if (newest == null) {
      return ContainerView.untouched(blocked.get(name));
    }
    ProcessState process = newest.look(now);
    Attempt earlier = folders.attempt(newest.number() - 1);
    Ended before =
        newest.number() > 0 && earlier.begun() && earlier.look(now) instanceof Ended e ? e : null;
    Ending ending = endings.get(name);
    Ending own = ending != null && ending.attempt() == newest.number() ? ending : null;
    return new ContainerView(
        newest.number(),
        process,
        before,
        newest.delay().orElse(null),
        own == null ? null : own.asked(),
        own != null && own.killed(),
        health(container, newest.number(), process),
        blocked.get(name));
  }

  private Health health(Container container, int attempt, ProcessState process) {
    ContainerProbes known = probes.get(container.getName());
    if (known != null && !(process instanceof Running && known.attempt() == attempt)) {
      known.stop();
      probes.remove(container.getName());
      known = null;
    }
    if (known == null && process instanceof Running running) {
      Runnable changed = () -> shared.wake().accept(record.uid());
      known = new ContainerProbes(container, attempt, record.ip(), shared.clock(), changed);
      probes.put(container.getName(), known);
      known.start(running.startedAt(), shared.timer(), shared.checks());
    }
    return known == null ? Health.before(container) : known.health();
  }

  /** False when the API server could not be told. */
  private boolean publish(PodView view, Instant now) {
    if (view.gone() || removalAsked) {
      return true;
    }
    PodStatus status = PodStatuses.of(view, now);
    if (status.equals(written)) {
      return true;
    }
    try {
      shared.api().writeStatus(view.pod(), status);
      written = status;
      return true;
    } catch (KubernetesClientException e) {
      LOG.warn("The status of pod {} could not be written: {}", record.name(), e.getMessage());
      return false;
    }
  }

  private void perform(PodAction action, Pod pod, Instant now)
      throws IOException, InterruptedException {
    if (action instanceof PodAction.Start start) {
      start(start, pod, now);
    } else if (action instanceof PodAction.Terminate terminate) {
      Attempt attempt = newest(terminate.container());
      LOG.info("Pod {}: {}", record.name(), terminate.why());
      attempt.terminate();
      endings.put(terminate.container(), new Ending(attempt.number(), now, false));
    } else if (action instanceof PodAction.Kill kill) {
      Attempt attempt = newest(kill.container());
      attempt.kill();
      endings.put(kill.container(), new Ending(attempt.number(), now, true));
    } else if (action instanceof PodAction.Remove) {
      shared.api().remove(pod);
      removalAsked = true;
    } else if (action instanceof PodAction.Forget) {
      forgotten = true;
    }
  }

  private Attempt newest(String container) throws IOException {
    return new ContainerFolder(folder.resolve(container)).newest().orElseThrow();
  }

  private void start(PodAction.Start start, Pod pod, Instant now)
      throws IOException, InterruptedException {
    String name = start.container().getName();
    Image image = pulled.get(start.container().getImage());
    if (image == null) {
      blocked.put(name, new Blocked("ContainerCreating", null, now.plus(PULLING)));
      shared.pulls().execute(() -> pull(name, start.container().getImage()));
      return;
    }
    try {
      shared.starts().start(pod, record, folder, image, start);
      blocked.remove(name);
      retries.remove(name);
    } catch (StartProblem e) {
      block(name, e.reason(), e.getMessage(), RETRY, LAST_RETRY);
    }
  }

  private void pull(String container, String image) {
    try {
      pulled.put(image, shared.images().pull(image));
      retries.remove(container);
      blocked.remove(container);
    } catch (ImagePullException e) {
      String reason = retries.containsKey(container) ? "ImagePullBackOff" : "ErrImagePull";
      block(container, reason, e.getMessage(), PULL_RETRY, LAST_PULL_RETRY);
    }
    shared.wake().accept(record.uid());
  }

  /** Puts a start off, each time for twice as long. */
  private void block(
      String container, String reason, @Nullable String why, Duration first, Duration last) {
    Duration wait = retries.getOrDefault(container, first);
    Duration longer = wait.multipliedBy(2);
    retries.put(container, longer.compareTo(last) > 0 ? last : longer);
    blocked.put(container, new Blocked(reason, why, shared.clock().instant().plus(wait)));
    LOG.info("Pod {}: container {} cannot be started: {}", record.name(), container, why);
  }
}
