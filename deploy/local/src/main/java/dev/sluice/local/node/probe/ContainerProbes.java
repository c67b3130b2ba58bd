package dev.sluice.local.node.probe;

import io.fabric8.kubernetes.api.model.Probe;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The probes of one running container, each in its own rhythm. */
final class ContainerProbes {
  private final Target target;
  private final ScheduledExecutorService timer;
  private final Executor checks;
  private final Clock clock;
  private final Runnable changed;

  private ProbeTally startup = ProbeTally.NONE;
  private ProbeTally readiness = ProbeTally.NONE;
  private ProbeTally liveness = ProbeTally.NONE;
  private @Nullable String unhealthy;
  private boolean stopped;

  private enum Kind {
    STARTUP,
    READINESS,
    LIVENESS
  }

  ContainerProbes(
      Target target,
      ScheduledExecutorService timer,
      Executor checks,
      Clock clock,
      Runnable changed) {
    this.target = target;
    this.timer = timer;
    this.checks = checks;
    this.clock = clock;
    this.changed = changed;
  }

  void start() {
    for (Kind kind : Kind.values()) {
      Probe probe = probe(kind);
      if (probe != null) {
        long delay = seconds(probe.getInitialDelaySeconds(), 0);
        Instant first = target.startedAt().plusSeconds(delay);
        schedule(kind, probe, Duration.between(clock.instant(), first));
      }
    }
  }

  synchronized void stop() {
    stopped = true;
  }

  synchronized Health health() {
    boolean started = probe(Kind.STARTUP) == null || startup.succeeds();
    boolean ready = started && (probe(Kind.READINESS) == null || readiness.succeeds());
    return new Health(started, ready, unhealthy);
  }

  private @Nullable Probe probe(Kind kind) {
    return switch (kind) {
      case STARTUP -> target.container().getStartupProbe();
      case READINESS -> target.container().getReadinessProbe();
      case LIVENESS -> target.container().getLivenessProbe();
    };
  }

  private synchronized void schedule(Kind kind, Probe probe, Duration in) {
    if (!stopped) {
      long millis = Math.max(0, in.toMillis());
      timer.schedule(() -> checks.execute(() -> turn(kind, probe)), millis, TimeUnit.MILLISECONDS);
    }
  }

  private void turn(Kind kind, Probe probe) {
    Instant begun = clock.instant();
    if (wanted(kind)) {
      try {
        record(kind, probe, Check.run(probe, target));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return; // the node ends
      } catch (RuntimeException e) {
        record(kind, probe, Optional.of(e.toString()));
      }
    }
    Duration took = Duration.between(begun, clock.instant());
    schedule(kind, probe, Duration.ofSeconds(seconds(probe.getPeriodSeconds(), 10)).minus(took));
  }

  /** Once started the startup probe rests; until then the others do. */
  private synchronized boolean wanted(Kind kind) {
    boolean started = probe(Kind.STARTUP) == null || startup.succeeds();
    return !stopped && unhealthy == null && (kind == Kind.STARTUP) == !started;
  }

  private void record(Kind kind, Probe probe, Optional<String> failure) {
    Health before = health();
    synchronized (this) {
      boolean success = failure.isEmpty();
      switch (kind) {
        case STARTUP -> startup = startup.with(success, probe);
        case READINESS -> readiness = readiness.with(success, probe);
        case LIVENESS -> liveness = liveness.with(success, probe);
      }
      if (liveness.fails() || startup.fails()) {
        unhealthy =
            (kind == Kind.STARTUP ? "Startup" : "Liveness")
                + " probe failed: "
                + failure.orElse("");
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
