package dev.sluice.local.node.pod;

import dev.sluice.local.node.container.ContainerFolder;
import dev.sluice.local.node.container.PodFields;
import dev.sluice.local.node.container.StartProblem;
import dev.sluice.local.node.pod.ContainerView.Blocked;
import dev.sluice.local.node.pod.PodAction.Forget;
import dev.sluice.local.node.pod.PodAction.Kill;
import dev.sluice.local.node.pod.PodAction.LookAgain;
import dev.sluice.local.node.pod.PodAction.Pull;
import dev.sluice.local.node.pod.PodAction.Remove;
import dev.sluice.local.node.pod.PodAction.RenewTokens;
import dev.sluice.local.node.pod.PodAction.Start;
import dev.sluice.local.node.pod.PodAction.Terminate;
import dev.sluice.local.node.pod.PodLook.Ending;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Signals;
import dev.sluice.local.node.status.PodStatuses;
import dev.sluice.local.node.token.PodSources;
import dev.sluice.local.node.token.PodTokens;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final Duration RENEW_RETRY = Duration.ofSeconds(30);

  private final PodRecord record;
  private final Path folder;
  private final PodTools tools;
  private final PodLook look;
  private final Map<String, Ending> endings = new HashMap<>();
  private final Map<String, Blocked> blocked = new HashMap<>();
  private final Map<String, Duration> retries = new HashMap<>();
  private @Nullable PodStatus written;
  private Instant renewNotBefore = Instant.MIN;
  private boolean removalAsked;
  private boolean forgotten;

  public PodWorker(PodRecord record, Path folder, PodTools tools) {
    this.record = record;
    this.folder = folder;
    this.tools = tools;
    this.look = new PodLook(record, folder, tools.images(), tools.probes());
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
      Instant now = tools.clock().instant();
      PodView view = view(pod, gone, now);
      Instant next = publish(view, now) ? null : now.plusSeconds(1);
      boolean acted = false;
      for (PodAction action : tools.decision().decide(view, now)) {
        if (action instanceof LookAgain again) {
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
    List<Container> init = pod.getSpec().getInitContainers();
    for (Container container : init == null ? List.<Container>of() : init) {
      views.put(container.getName(), at(container, now));
    }
    for (Container container : pod.getSpec().getContainers()) {
      views.put(container.getName(), at(container, now));
    }
    return new PodView(
        pod,
        gone,
        record.ip(),
        record.admitted(),
        Unsupported.reason(pod).orElse(null),
        renewAt(),
        removalAsked,
        views);
  }

  private ContainerView at(Container container, Instant now) throws IOException {
    String name = container.getName();
    return look.at(container, endings.get(name), blocked.get(name), now);
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
      tools.api().writeStatus(view.pod(), status);
      written = status;
      return true;
    } catch (KubernetesClientException e) {
      LOG.warn("The status of pod {} could not be written: {}", record.name(), e.getMessage());
      return false;
    }
  }

  private void perform(PodAction action, Pod pod, Instant now)
      throws IOException, InterruptedException {
    if (action instanceof Pull pull) {
      tools.images().pull(record.uid(), pull.image(), () -> tools.wake().accept(record.uid()));
    } else if (action instanceof Start start) {
      start(start, pod, now);
    } else if (action instanceof Terminate terminate) {
      Attempt attempt = newest(terminate.container());
      tools.events().normal(pod, "Killing", terminate.why());
      Signals.terminate(attempt);
      endings.put(terminate.container(), new Ending(attempt.number(), now, false));
    } else if (action instanceof Kill kill) {
      Attempt attempt = newest(kill.container());
      Signals.kill(attempt);
      endings.put(kill.container(), new Ending(attempt.number(), now, true));
    } else if (action instanceof RenewTokens) {
      renew(pod, now);
    } else if (action instanceof Remove) {
      tools.api().remove(pod);
      removalAsked = true;
    } else if (action instanceof Forget) {
      forgotten = true;
    }
  }

  private Attempt newest(String container) throws IOException {
    return new ContainerFolder(folder.resolve(container)).newest().orElseThrow();
  }

  private void start(Start start, Pod pod, Instant now) throws IOException, InterruptedException {
    Container container = start.container();
    try {
      tools.starts().start(pod, record, folder, start);
      blocked.remove(container.getName());
      retries.remove(container.getName());
      tools.events().normal(pod, "Started", "Started container " + container.getName());
    } catch (StartProblem e) {
      Duration wait = retries.getOrDefault(container.getName(), RETRY);
      Duration longer = wait.multipliedBy(2);
      retries.put(container.getName(), longer.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : longer);
      String why = String.valueOf(e.getMessage());
      blocked.put(container.getName(), new Blocked(e.reason(), why, now.plus(wait)));
      tools.events().warning(pod, "Failed", why);
    }
  }

  private void renew(Pod pod, Instant now) throws IOException {
    PodFields fields = new PodFields(pod, record.ip(), tools.starts().capacity());
    try {
      tools.tokens().renew(fields, new PodSources(tools.client(), pod), folder);
    } catch (StartProblem e) {
      LOG.warn("The tokens of pod {} were not renewed: {}", record.name(), e.getMessage());
      renewNotBefore = now.plus(RENEW_RETRY);
    }
  }

  private @Nullable Instant renewAt() throws IOException {
    return PodTokens.renewAt(folder)
        .map(at -> at.isBefore(renewNotBefore) ? renewNotBefore : at)
        .orElse(null);
  }
}
