package dev.sluice.local.node.pod;

import dev.sluice.local.node.NodeSettings;
import dev.sluice.local.node.container.Image;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.node.container.PodObjects;
import dev.sluice.local.node.container.Preparation;
import dev.sluice.local.node.container.StartProblem;
import dev.sluice.local.node.pod.ContainerView.Blocked;
import dev.sluice.local.node.probe.ContainerProbes;
import dev.sluice.local.node.probe.ContainerProbes.Health;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One container of a pod that the node has taken: what is seen of it, and what is done to it. It
 * remembers what the files of its attempts do not say; a node that was killed has forgotten that,
 * as a kubelet has.
 */
final class ContainerWorker {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerWorker.class);

  /** The first wait after a start that was not possible; the next are twice as long each. */
  private static final long RETRY_MILLIS = 250;

  private static final long LAST_RETRY_MILLIS = 2_000;
  private static final long LAST_PULL_RETRY_MILLIS = 30_000;

  private static final Duration PULLING = Duration.ofHours(1);

  private final PodRecord pod;
  private final Container container;
  private final PodWorker.Shared shared;
  private final Runnable wake;
  private final Path podFolder;
  private final Path folder;

  private @Nullable Attempt newest;

  // of the newest attempt
  private @Nullable Duration delay;
  private @Nullable Instant terminationRequestedAt;
  private boolean killed;
  private @Nullable ContainerProbes probes;

  // of the next one; the thread that pulls sets them too
  private volatile @Nullable Image image;
  private volatile @Nullable Blocked blocked;
  private volatile int failures;

  /** With what has the pod looked at again. */
  ContainerWorker(PodRecord pod, Container container, PodWorker.Shared shared, Runnable wake) {
    this.pod = pod;
    this.container = container;
    this.shared = shared;
    this.wake = wake;
    this.podFolder = shared.state().folder(pod);
    this.folder = podFolder.resolve(container.getName());
  }

  ContainerView view(Instant now) throws IOException {
    newest = Attempt.newest(folder).orElse(null);
    if (newest == null) {
      return new ContainerView(container, -1, null, null, null, null, false, Health.NONE, blocked);
    }
    int number = newest.number();
    Attempt.State state = newest.look(now);
    Attempt earlier = newest.before().orElse(null);
    Ended before = earlier != null && earlier.look(now) instanceof Ended ended ? ended : null;
    Health health = health(state, now);
    return new ContainerView(
        container, number, state, before, delay, terminationRequestedAt, killed, health, blocked);
  }

  private Health health(Attempt.State state, Instant now) {
    if (!(state instanceof Running running)) {
      if (probes != null) {
        probes.stop();
        probes = null;
      }
      return Health.NONE;
    }
    if (probes == null) {
      Duration runs = Duration.between(running.startedAt(), now);
      probes = new ContainerProbes(container, pod.ip(), runs, shared.probes(), wake);
    }
    return probes.health();
  }

  void start(Pod latest, PodDecision.Start start) throws IOException, InterruptedException {
    Image ready = image;
    if (ready == null) {
      blocked = new Blocked("ContainerCreating", null, shared.clock().instant().plus(PULLING));
      shared.pulls().execute(this::pull);
      return;
    }
    try {
      launch(latest, ready, start.attempt());
      delay = start.delay();
      terminationRequestedAt = null;
      killed = false;
      blocked = null;
      failures = 0;
    } catch (StartProblem e) {
      block(e.reason(), e.getMessage(), LAST_RETRY_MILLIS);
    } catch (IOException | RuntimeException e) {
      image = null; // it may have been deleted
      block("CreateContainerError", e.toString(), LAST_RETRY_MILLIS);
    }
  }

  private void pull() {
    try {
      image = shared.images().pull(container.getImage());
      blocked = null;
    } catch (ImagePullException e) {
      String reason = failures == 0 ? "ErrImagePull" : "ImagePullBackOff";
      block(reason, e.getMessage(), LAST_PULL_RETRY_MILLIS);
    }
    wake.run();
  }

  private void launch(Pod latest, Image ready, int number)
      throws StartProblem, IOException, InterruptedException {
    PodObjects objects = new PodObjects(shared.api().client(), latest);
    Map<String, String> env = new HashMap<>(shared.env());
    env.put("POD_IP", pod.ip());
    env.put("HOSTNAME", latest.getMetadata().getName());
    env.put("SLUICE_HOSTS_FILE", shared.hosts().ofPod(podFolder, pod.ip()).toString());
    env.put("KUBECONFIG", objects.kubeconfig(podFolder).toString());
    Attempt attempt = Attempt.of(folder, number);
    Trees.delete(attempt.dir());
    ProcessBuilder process =
        new Preparation(latest, pod.ip(), objects, podFolder, env).prepare(container, ready);
    env.keySet().removeIf(name -> !name.equals(NodeSettings.CLUSTER_MARK));
    process.environment().putAll(env); // whatever the container says
    process.environment().remove(NodeSettings.PART_MARK);
    try {
      Path event = shared.state().events().resolve(pod.uid());
      attempt.start(process, shared.state().wrapper(), event);
    } catch (IOException e) {
      Trees.delete(attempt.dir()); // it never was
      throw new StartProblem("RunContainerError", String.valueOf(e.getMessage()));
    }
    Trees.delete(Attempt.of(folder, number - 2).dir());
  }

  private void block(String reason, @Nullable String why, long mostMillis) {
    int before = failures;
    failures = before + 1;
    long wait = Math.min(RETRY_MILLIS << Math.min(before, 10), mostMillis);
    blocked = new Blocked(reason, why, shared.clock().instant().plusMillis(wait));
    LOG.info("Pod {}: container {} cannot be started: {}", pod.name(), container.getName(), why);
  }

  void terminate(String why, Instant now) {
    LOG.info("Pod {}: {}", pod.name(), why);
    Objects.requireNonNull(newest).terminate();
    terminationRequestedAt = now;
  }

  void kill() throws IOException, InterruptedException {
    Objects.requireNonNull(newest).kill();
    killed = true;
  }
}
