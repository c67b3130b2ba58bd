package dev.sluice.local.node.probe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The probes of one attempt of a running container, each in its own rhythm. */
public final class ContainerProbes {
  private final int attempt;
  private final Check check;
  private final Clock clock;
  private final Runnable changed;
  private final Map<Kind, Probe> probes = new EnumMap<>(Kind.class);
  private final Map<Kind, ProbeTally> tallies = new EnumMap<>(Kind.class);
  private @Nullable String unhealthy;
  private boolean stopped;

  private enum Kind {
    STARTUP,
    READINESS,
    LIVENESS
  }

  /**
   * @param ip the pod's address
   * @param changed called when the health has changed
   */
  public ContainerProbes(
      Container container, int attempt, String ip, Clock clock, Runnable changed) {
    this.attempt = attempt;
    this.check = new Check(container, ip);
    this.clock = clock;
    this.changed = changed;
    put(Kind.STARTUP, container.getStartupProbe());
    put(Kind.READINESS, container.getReadinessProbe());
    put(Kind.LIVENESS, container.getLivenessProbe());
  }

  private void put(Kind kind, @Nullable Probe probe) {
    if (probe != null) {
      probes.put(kind, probe);
      tallies.put(kind, ProbeTally.NONE);
    }
  }

  /** Which attempt of the container they are about. */
  public int attempt() {
    return attempt;
  }

  /**
   * Begins to probe.
   *
   * @param checks runs probes, which block for up to their timeout
   */
  public void start(Instant startedAt, ScheduledExecutorService timer, Executor checks) {
    probes.forEach(
        (kind, probe) -> {
          Instant first = startedAt.plusSeconds(seconds(probe.getInitialDelaySeconds(), 0));
          schedule(kind, Duration.between(clock.instant(), first), timer, checks);
        });
  }

  /** Ends them. */
  public synchronized void stop() {
    stopped = true;
  }

  /** What they say. */
  public synchronized Health health() {
    boolean started = succeeds(Kind.STARTUP);
    return new Health(started, started && succeeds(Kind.READINESS), unhealthy);
  }

  /** A probe that there is not always succeeds. */
  private synchronized boolean succeeds(Kind kind) {
    ProbeTally tally = tallies.get(kind);
    return tally == null || tally.succeeds();
  }

  private synchronized void schedule(
      Kind kind, Duration in, ScheduledExecutorService timer, Executor checks) {
    if (!stopped) {
      Runnable turn = () -> checks.execute(() -> turn(kind, timer, checks));
      timer.schedule(turn, Math.max(0, in.toMillis()), TimeUnit.MILLISECONDS);
    }
  }

  private void turn(Kind kind, ScheduledExecutorService timer, Executor checks) {
    Instant begun = clock.instant();
    Probe probe = probes.get(kind);
    if (probe == null) {
      return;
    }
    if (wanted(kind)) {
      record(kind, probe, check.run(probe));
    }
    Duration period = Duration.ofSeconds(seconds(probe.getPeriodSeconds(), 10));
    schedule(kind, period.minus(Duration.between(begun, clock.instant())), timer, checks);
  }

  /** Once started the startup probe rests; until then the others do. */
  private synchronized boolean wanted(Kind kind) {
    return !stopped && unhealthy == null && (kind == Kind.STARTUP) == !succeeds(Kind.STARTUP);
  }

  private void record(Kind kind, Probe probe, Optional<String> failure) {
    Health before = health();
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

  private static long seconds(@Nullable Integer value, int other) {
    return value == null || value == 0 ? other : value;
  }
}
