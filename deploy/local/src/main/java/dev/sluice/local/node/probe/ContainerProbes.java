package dev.sluice.local.node.probe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The probes of one attempt of a running container, each in its own rhythm. */
public final class ContainerProbes {
  private final Check check;
  private final Runnable changed;
  private final Map<Kind, ProbeTally> tallies = new EnumMap<>(Kind.class);
  private final List<Future<?>> turns = new ArrayList<>();
  private @Nullable String unhealthy;

  /**
   * What the probes of a container say.
   *
   * @param started whether the startup probe has succeeded; true without one
   * @param ready whether the readiness probe succeeds; true without one once started
   * @param unhealthy why the container has to be restarted; null while it need not
   */
  public record Health(boolean started, boolean ready, @Nullable String unhealthy) {
    public static final Health NONE = new Health(false, false, null);
  }

  private enum Kind {
    STARTUP,
    READINESS,
    LIVENESS
  }

  /**
   * Begins to probe.
   *
   * @param ip the pod's address
   * @param running for how long the container has been running
   * @param executor runs probes, which block for up to their timeout
   * @param changed called when the health has changed
   */
  public ContainerProbes(
      Container container,
      String ip,
      Duration running,
      ScheduledExecutorService executor,
      Runnable changed) {
    this.check = new Check(container, ip);
    this.changed = changed;
    add(Kind.STARTUP, container.getStartupProbe(), running, executor);
    add(Kind.READINESS, container.getReadinessProbe(), running, executor);
    add(Kind.LIVENESS, container.getLivenessProbe(), running, executor);
  }

  private synchronized void add(
      Kind kind, @Nullable Probe probe, Duration running, ScheduledExecutorService executor) {
    if (probe != null) {
      tallies.put(kind, ProbeTally.NONE);
      Integer initial = probe.getInitialDelaySeconds(); // left out when it is 0
      long first = initial == null ? 0 : 1000L * initial;
      long delay = Math.max(0, first - running.toMillis());
      long period = 1000L * probe.getPeriodSeconds();
      turns.add(
          executor.scheduleWithFixedDelay(
              () -> turn(kind, probe), delay, period, TimeUnit.MILLISECONDS));
    }
  }

  public synchronized void stop() {
    turns.forEach(turn -> turn.cancel(false));
  }

  public synchronized Health health() {
    boolean started = succeeds(Kind.STARTUP);
    return new Health(started, started && succeeds(Kind.READINESS), unhealthy);
  }

  /** A probe that there is not always succeeds. */
  private synchronized boolean succeeds(Kind kind) {
    ProbeTally tally = tallies.get(kind);
    return tally == null || tally.succeeds();
  }

  /** Once started the startup probe rests; until then the others do. */
  private void turn(Kind kind, Probe probe) {
    Health before = health();
    if (before.unhealthy() != null || before.started() == (kind == Kind.STARTUP)) {
      return;
    }
    Optional<String> failure = check.run(probe);
    synchronized (this) {
      ProbeTally tally = tallies.getOrDefault(kind, ProbeTally.NONE).with(failure.isEmpty(), probe);
      tallies.put(kind, tally);
      if (kind != Kind.READINESS && tally.fails()) {
        String name = kind == Kind.STARTUP ? "Startup" : "Liveness";
        unhealthy = name + " probe failed: " + failure.orElse("");
      }
    }
    if (!health().equals(before)) {
      changed.run();
    }
  }
}
