package dev.sluice.local.node.probe;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** The probes of all running containers. */
public final class Probes {
  private final ScheduledExecutorService timer;
  private final Executor checks;
  private final Clock clock;
  private final Consumer<String> changed;
  private final Map<Key, Running> running = new ConcurrentHashMap<>();

  private record Key(String podUid, String container) {}

  private record Running(int attempt, ContainerProbes probes) {}

  /**
   * @param checks runs checks, which block for up to their timeout
   * @param changed told the pod's uid when the health of one of its containers has changed
   */
  public Probes(
      ScheduledExecutorService timer, Executor checks, Clock clock, Consumer<String> changed) {
    this.timer = timer;
    this.checks = checks;
    this.clock = clock;
    this.changed = changed;
  }

  /** The health of a running container, whose probes start with the first call. */
  public Health of(Target target) {
    if (!target.hasProbes()) {
      return Health.GOOD;
    }
    Key key = new Key(target.podUid(), target.container().getName());
    Running known = running.get(key);
    if (known == null || known.attempt() != target.attempt().number()) {
      if (known != null) {
        known.probes().stop();
      }
      ContainerProbes probes =
          new ContainerProbes(target, timer, checks, clock, () -> changed.accept(target.podUid()));
      known = new Running(target.attempt().number(), probes);
      running.put(key, known);
      probes.start();
    }
    return known.probes().health();
  }

  /** Ends the probes of a container that does not run. */
  public void stop(String podUid, String container) {
    Running known = running.remove(new Key(podUid, container));
    if (known != null) {
      known.probes().stop();
    }
  }
}
