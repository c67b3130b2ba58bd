package dev.sluice.activities.async;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInfo;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import io.temporal.client.ActivityResetException;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wait, in the thread of its activity: looks, one look at a time, until a look decides, the
 * time is over, or Temporal takes the activity back. From shortly before the heartbeat timeout is
 * over without an acknowledged heartbeat it neither looks nor acts: another attempt may have begun
 * elsewhere.
 */
final class WaitLoop<T> implements ActGuard {

  private static final Logger LOG = LoggerFactory.getLogger(WaitLoop.class);

  /** A look that Kubernetes refuses for this long fails the wait. */
  private static final Duration REFUSED_PATIENCE = Duration.ofSeconds(30);

  /** For the heartbeats of an activity without a heartbeat timeout. */
  private static final Duration WITHOUT_TIMEOUT = Duration.ofSeconds(30);

  /** A wait of this length is reported in the status of its resource. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(10);

  private static final Duration REPORT_GAP = Duration.ofSeconds(15);

  /**
   * The probe itself ends a wait at the deadline; so long it has for that, and for its last look.
   */
  static final Duration MARGIN = Duration.ofSeconds(30);

  /** How soon the end of a wait is noticed during a look. */
  private static final long TICK_NANOS = Duration.ofMillis(250).toNanos();

  private static final int LONGEST_PROGRESS = 400;

  private final Wait<T> wait;
  private final ActivityInfo info;
  private final Consumer<Watcher.Heartbeat> heartbeat;
  private final Supplier<Moment> clock;
  private final WaitReporter reporter;
  private final ExecutorService threads;
  private final Duration heartbeatTimeout;
  private final Moment began;
  private final Duration atMost; // of this attempt, to shortly after the deadline
  private final Semaphore wakes = new Semaphore(0);
  private volatile Moment leasedAt;
  private volatile boolean leased;
  private volatile boolean ended;
  private volatile boolean handedOver;
  private long nextBeat; // by the monotonic clock, ns, as the next one
  private long nextReport;
  private String seen = "nothing seen yet";
  private String doubt = "";
  private int unchanged;
  private String reported = "";
  private @Nullable Moment refusedSince;

  /**
   * A moment by both clocks of the machine. The monotonic one may stand still while the machine
   * sleeps, the other one may be set: the larger difference is the careful answer.
   *
   * @param nanos of {@link System#nanoTime}
   * @param millis of {@link System#currentTimeMillis}
   */
  record Moment(long nanos, long millis) {

    static Moment now() {
      return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    /** At most this much time has passed since. */
    Duration since(Moment earlier) {
      Duration monotonic = Duration.ofNanos(nanos - earlier.nanos);
      Duration wall = Duration.ofMillis(millis - earlier.millis);
      return monotonic.compareTo(wall) > 0 ? monotonic : wall;
    }
  }

  /**
   * @param info of the attempt of the activity that waits
   * @param heartbeat sends a heartbeat; returns when Temporal has acknowledged it
   * @param reporter is called for long waits
   * @param threads for the looks and the reporter, which block
   */
  WaitLoop(
      Wait<T> wait,
      ActivityInfo info,
      Consumer<Watcher.Heartbeat> heartbeat,
      Supplier<Moment> clock,
      WaitReporter reporter,
      ExecutorService threads) {
    this.wait = wait;
    this.info = info;
    this.heartbeat = heartbeat;
    this.clock = clock;
    this.reporter = reporter;
    this.threads = threads;
    this.heartbeatTimeout = info.getHeartbeatTimeout();
    this.began = clock.get();
    this.leasedAt = began;
    this.leased = heartbeatTimeout.isZero();
    this.nextBeat = began.nanos + interval().dividedBy(2).toNanos();
    this.atMost =
        Duration.ofMillis(wait.limit().deadlineMs() - info.getCurrentAttemptScheduledTimestamp())
            .plus(MARGIN);
    this.nextReport = began.nanos + LONG_WAIT.toNanos();
  }

  String key() {
    return wait.subject().key();
  }

  void wake() {
    wakes.release();
  }

  /** Ends the wait: another worker continues it. */
  void handOver() {
    handedOver = true;
    wakes.release();
  }

  /** Not before the first acknowledged heartbeat: it is not known when Temporal began to count. */
  @Override
  public boolean mayAct() {
    return leased && !ended && isAlive();
  }

  /** Until a sixth of the heartbeat timeout before it ends, for a call that is on its way. */
  private boolean isAlive() {
    return heartbeatTimeout.isZero()
        || clock.get().since(leasedAt).multipliedBy(6).compareTo(heartbeatTimeout.multipliedBy(5))
            < 0;
  }

  /**
   * Waits.
   *
   * @throws ApplicationFailure when it fails, is handed over, or the activity was paused or reset
   * @throws ActivityCanceledException when the activity was cancelled
   * @throws ActivityNotExistsException when Temporal has given up this attempt
   */
  @Nullable T run() {
    try {
      if (wait.acts()) {
        beat();
      }
      while (true) {
        while (!isAlive()) {
          pause(nextBeat);
        }
        ProbeResult<T> result = null;
        Throwable unknown = null;
        try {
          result = look();
        } catch (ExecutionException e) {
          unknown = e.getCause();
        }
        if (!isAlive()) {
          continue; // the result may be another attempt's to report
        }
        if (unknown instanceof ApplicationFailure failure && failure.isNonRetryable()) {
          throw failure;
        }
        if (result instanceof ProbeResult.Done<T> done) {
          return done.result();
        }
        if (result instanceof ProbeResult.Failed<T> failed) {
          throw failure(failed.type(), failed.message(), failed.retryable());
        }
        onUndecided(result instanceof ProbeResult.NotYet<T> it ? it : null, unknown);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw benign(Watcher.HANDED_OVER, "this worker stops; another one continues the wait");
    } finally {
      ended = true;
    }
  }

  /** On another thread, so that a look that hangs delays neither heartbeats nor the end. */
  private @Nullable ProbeResult<T> look() throws ExecutionException, InterruptedException {
    step();
    int unused = wakes.drainPermits();
    Duration left = left().isNegative() ? Duration.ZERO : left();
    long end = nanos() + left.plus(MARGIN).toNanos();
    AtomicBoolean over = new AtomicBoolean(); // one that was given up changes nothing any more
    Future<ProbeResult<T>> look =
        threads.submit(() -> wait.probe().look(() -> mayAct() && !over.get()));
    try {
      while (nanos() < end) {
        step();
        try {
          return look.get(TICK_NANOS, TimeUnit.NANOSECONDS);
        } catch (TimeoutException later) {
          LOG.trace("Still looking for {}", wait.subject().what());
        }
      }
      throw new ExecutionException(new IllegalStateException("the look takes too long"));
    } finally {
      over.set(true);
      look.cancel(true);
    }
  }

  private void onUndecided(ProbeResult.@Nullable NotYet<T> answer, @Nullable Throwable cause)
      throws InterruptedException {
    if (answer != null) {
      boolean same = answer.progress().equals(seen) && doubt.isEmpty();
      unchanged = same ? unchanged + 1 : 0;
      seen = answer.progress();
      doubt = "";
    } else if (!(cause instanceof NotLeasedException)) {
      unchanged++;
      doubt = reason(cause);
    }
    if (isRefusedForLong(cause)) {
      throw failure(
          FailureType.REFUSED, "waiting for " + wait.subject().what() + ": " + doubt, false);
    }
    if (left().isNegative()) {
      String message =
          "waited too long for %s; last seen: %s".formatted(wait.subject().what(), progress());
      throw failure(wait.limit().timeoutType(), message, false);
    }
    report();
    Duration gap = wait.pace().gap(unchanged);
    pause(nanos() + (gap.compareTo(left()) < 0 ? gap : left().plusNanos(1)).toNanos());
  }

  /** Until then or a wake. */
  private void pause(long untilNanos) throws InterruptedException {
    boolean woken = false;
    while (!woken && nanos() < untilNanos) {
      step();
      woken = wakes.tryAcquire(Math.min(untilNanos, nextBeat) - nanos(), TimeUnit.NANOSECONDS);
    }
    step();
  }

  /** Ends a wait that was handed over, and sends the heartbeat that is due. */
  private void step() {
    if (handedOver) {
      throw benign(Watcher.HANDED_OVER, "this worker stops; another one continues the wait");
    }
    if (nanos() >= nextBeat) {
      beat();
    }
  }

  private void beat() {
    Moment sent = clock.get();
    nextBeat = sent.nanos + interval().dividedBy(2).toNanos();
    try {
      heartbeat.accept(details());
      leasedAt = sent;
      leased = true;
    } catch (ActivityCanceledException | ActivityNotExistsException over) {
      throw over;
    } catch (ActivityPausedException e) {
      throw benign(Watcher.INTERRUPTED, "the activity was paused");
    } catch (ActivityResetException e) {
      throw benign(Watcher.INTERRUPTED, "the activity was reset");
    } catch (RuntimeException lost) {
      LOG.debug("No heartbeat for {}: {}", wait.subject().what(), lost.toString());
      nextBeat = nanos() + interval().dividedBy(12).toNanos();
    }
  }

  private Duration interval() {
    return heartbeatTimeout.isZero() ? WITHOUT_TIMEOUT : heartbeatTimeout;
  }

  /** Rarely, because each report is a write to the API server. */
  private void report() {
    ResourceRef resource = wait.subject().resource();
    String text = progress();
    if (resource == null || text.equals(reported) || nanos() < nextReport) {
      return;
    }
    nextReport = nanos() + REPORT_GAP.toNanos();
    reported = text;
    WaitReporter.Waiting waiting =
        new WaitReporter.Waiting(
            info.getRunId(),
            info.getActivityType(),
            Instant.ofEpochMilli(info.getScheduledTimestamp()));
    Runnable report =
        () -> {
          try {
            reporter.report(resource, waiting, text);
          } catch (RuntimeException e) {
            LOG.info("Could not write the progress of {}: {}", resource.display(), e.toString());
          }
        };
    try {
      threads.execute(report);
    } catch (RejectedExecutionException closed) {
      LOG.debug("did not report {}: the worker stops", text);
    }
  }

  private boolean isRefusedForLong(@Nullable Throwable cause) {
    if (!(cause instanceof ApplicationFailure failure)
        || !FailureType.REFUSED.equals(failure.getType())) {
      refusedSince = null;
      return false;
    }
    Moment now = clock.get();
    refusedSince = refusedSince == null ? now : refusedSince;
    return now.since(refusedSince).compareTo(REFUSED_PATIENCE) >= 0;
  }

  private Duration left() {
    return atMost
        .plusMillis(wait.limit().extensionMs().getAsLong())
        .minus(clock.get().since(began));
  }

  private long nanos() {
    return clock.get().nanos;
  }

  private String progress() {
    String text = doubt.isEmpty() ? seen : seen + "; no answer since: " + doubt;
    return text.length() <= LONGEST_PROGRESS ? text : text.substring(0, LONGEST_PROGRESS) + "...";
  }

  private Watcher.Heartbeat details() {
    return new Watcher.Heartbeat(progress(), wait.limit().extensionMs().getAsLong());
  }

  private ApplicationFailure benign(String type, String message) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setDetails(details())
        .setCategory(ApplicationErrorCategory.BENIGN)
        .build();
  }

  private static ApplicationFailure failure(String type, String message, boolean retryable) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setNonRetryable(!retryable)
        .build();
  }

  private static String reason(@Nullable Throwable thrown) {
    String message =
        thrown instanceof ApplicationFailure failure
            ? failure.getOriginalMessage()
            : thrown == null ? "the probe gave nothing" : thrown.getMessage();
    return Objects.requireNonNullElseGet(message, () -> String.valueOf(thrown));
  }
}
