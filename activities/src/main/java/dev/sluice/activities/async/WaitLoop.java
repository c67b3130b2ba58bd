package dev.sluice.activities.async;

import dev.sluice.activities.async.Pacer.Moment;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import io.temporal.client.ActivityResetException;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wait, in the thread of its activity: looks, one look at a time, until a look decides, the
 * time is over, or Temporal takes the activity back. While Temporal does not acknowledge its
 * heartbeats it neither looks nor acts: another attempt may have begun elsewhere.
 */
final class WaitLoop<T> {

  private static final Logger LOG = LoggerFactory.getLogger(WaitLoop.class);

  /** A look that Kubernetes refuses for this long fails the wait. */
  private static final Duration REFUSED_PATIENCE = Duration.ofSeconds(30);

  /** For the heartbeats of an activity without a heartbeat timeout, which only looks. */
  private static final Duration WITHOUT_TIMEOUT = Duration.ofSeconds(30);

  /** The shortest time from one heartbeat to the next because the progress has changed. */
  static final Duration NEWS = Duration.ofSeconds(5);

  // parts of the heartbeat timeout; waits that began together drift apart
  private static final double LATEST = 2.0 / 3;
  private static final double SPREAD = 1.0 / 10;
  private static final int TRY_AGAIN = 12;

  /** A wait of this length is reported in the status of its resource. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(10);

  private static final Duration REPORT_GAP = Duration.ofSeconds(15);

  /** The probe itself ends a wait at the deadline; later it does not answer. */
  static final Duration MARGIN = Duration.ofSeconds(30);

  /** What a look may take although the time of the wait is over. */
  private static final Duration LAST_LOOK = Duration.ofSeconds(15);

  private final Wait<T> wait;
  private final Attempt attempt;
  private final Pacer pacer;
  private final WaitReporter reporter;
  private final Executor threads;
  private final Moment began;
  private final Lease lease;
  private final WaitProgress progress = new WaitProgress();
  private volatile boolean woken;
  private volatile boolean handedOver;
  private long lastBeat; // these three by the monotonic clock, ns
  private long nextBeat;
  private long nextReport;
  private String reported = "";
  private @Nullable Moment refusedSince;

  /**
   * The attempt of the activity that waits.
   *
   * @param heartbeat sends a heartbeat; returns when Temporal has acknowledged it
   * @param heartbeatTimeout zero: none
   * @param spent how long earlier attempts took, by Temporal's clock
   * @param waiting identifies it in reports
   */
  record Attempt(
      Consumer<WaitHeartbeat> heartbeat,
      Duration heartbeatTimeout,
      Duration spent,
      WaitReporter.Waiting waiting) {}

  /**
   * @param reporter is called for long waits
   * @param threads for the looks and the reporter, which block
   */
  WaitLoop(Wait<T> wait, Attempt attempt, Pacer pacer, WaitReporter reporter, Executor threads) {
    this.wait = wait;
    this.attempt = attempt;
    this.pacer = pacer;
    this.reporter = reporter;
    this.threads = threads;
    this.began = pacer.moment();
    this.lease = new Lease(attempt.heartbeatTimeout(), pacer::moment);
    this.lastBeat = began.nanos();
    this.nextBeat = began.nanos() + interval().toNanos();
    this.nextReport = began.nanos() + LONG_WAIT.minus(attempt.spent()).toNanos();
  }

  String key() {
    return wait.key();
  }

  /** Something may have changed: ends the pause between two looks. */
  void wake() {
    woken = true;
    pacer.signal();
  }

  /** Ends the wait: another worker continues it. */
  void handOver() {
    handedOver = true;
    pacer.signal();
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
        while (!lease.isAlive()) {
          pause(nextBeat);
        }
        ProbeResult<T> seen = null;
        Throwable unknown = null;
        try {
          seen = look();
        } catch (ExecutionException e) {
          unknown = e.getCause();
        }
        if (!lease.isAlive()) {
          continue; // the result may be another attempt's to report
        }
        if (unknown instanceof ApplicationFailure failure && failure.isNonRetryable()) {
          throw failure;
        }
        if (seen instanceof ProbeResult.Done<T> done) {
          return done.result();
        }
        if (seen instanceof ProbeResult.Failed<T> failed) {
          throw failure(failed.type(), failed.message(), failed.retryable());
        }
        onUndecided(seen instanceof ProbeResult.NotYet<T> it ? it : null, unknown);
      }
    } finally {
      lease.close();
    }
  }

  private @Nullable ProbeResult<T> look() throws ExecutionException {
    woken = false;
    FutureTask<ProbeResult<T>> look = startLook();
    Duration limit = atMost(wait.polling().probeTimeout());
    long end = nanos() + limit.toNanos();
    try {
      while (!look.isDone()) {
        if (nanos() >= end) {
          throw new ExecutionException(
              new IllegalStateException("took longer than " + spelled(limit)));
        }
        pause(end);
      }
      return look.get();
    } catch (InterruptedException e) {
      throw interrupted();
    } finally {
      look.cancel(true);
    }
  }

  /** A look that begins before the end of the wait may take a little longer than that. */
  private Duration atMost(Duration look) {
    Duration rest = left().compareTo(LAST_LOOK) > 0 ? left() : LAST_LOOK;
    return look.compareTo(rest) < 0 ? look : rest;
  }

  /** On another thread, so that a look that hangs delays neither heartbeats nor the end. */
  private FutureTask<ProbeResult<T>> startLook() {
    AtomicReference<@Nullable Future<?>> own = new AtomicReference<>();
    // a look that was given up changes nothing any more
    ActGuard guard = () -> lease.mayAct() && !Objects.requireNonNull(own.get()).isCancelled();
    FutureTask<ProbeResult<T>> look =
        new FutureTask<>(() -> wait.probe().look(guard)) {
          @Override
          protected void done() {
            pacer.signal();
          }
        };
    own.set(look);
    threads.execute(look);
    return look;
  }

  private void onUndecided(ProbeResult.@Nullable NotYet<T> seen, @Nullable Throwable cause) {
    boolean news = false;
    if (seen != null) {
      news = progress.saw(seen.progress());
    } else if (!(cause instanceof ActGuard.NotLeasedException)) {
      news = progress.lost(reason(cause));
    }
    if (news && isBug(cause)) {
      LOG.warn("The probe for {} is broken", wait.what(), cause);
    }
    if (isRefusedForLong(cause)) {
      throw failure(
          FailureType.REFUSED, "waiting for " + wait.what() + ": " + reason(cause), false);
    }
    if (left().isZero()) {
      String message =
          "waited %s for %s; last seen: %s"
              .formatted(spelled(atMost()), wait.what(), progress.text());
      throw failure(wait.limit().timeoutType(), message, false);
    }
    if (news) {
      nextBeat = Math.min(nextBeat, lastBeat + NEWS.toNanos());
    }
    report();
    rest();
  }

  /** Until the next look is due; the last one is at the deadline. */
  private void rest() {
    long next = nanos() + wait.polling().gap(progress.unchanged()).toNanos();
    while (!woken && nanos() < next && !left().isZero()) {
      pause(Math.min(next, nanos() + left().toNanos()));
    }
  }

  /** Sleeps until then or a signal. Sends the heartbeat that is due. */
  private void pause(long untilNanos) {
    try {
      long due = Math.min(untilNanos, nextBeat) - nanos();
      if (!handedOver && due > 0) {
        pacer.sleep(Duration.ofNanos(due));
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    if (handedOver) {
      throw handOver(details());
    }
    if (nanos() >= nextBeat) {
      beat();
    }
  }

  private void beat() {
    Moment sent = pacer.moment();
    lastBeat = sent.nanos();
    nextBeat = lastBeat + interval().toNanos();
    try {
      attempt.heartbeat().accept(details());
    } catch (ActivityCanceledException | ActivityNotExistsException over) {
      throw over;
    } catch (ActivityPausedException e) {
      throw benign(Watcher.INTERRUPTED, "the activity was paused", details());
    } catch (ActivityResetException e) {
      throw benign(Watcher.INTERRUPTED, "the activity was reset", details());
    } catch (RuntimeException lost) {
      LOG.debug("No heartbeat for {}: {}", wait.what(), lost.toString());
      nextBeat = nanos() + heartbeatTimeout().dividedBy(TRY_AGAIN).toNanos();
      return;
    }
    lease.renew(sent);
  }

  private Duration interval() {
    double part = LATEST - SPREAD * ThreadLocalRandom.current().nextDouble();
    return Duration.ofMillis(Math.round(heartbeatTimeout().toMillis() * part));
  }

  private Duration heartbeatTimeout() {
    return attempt.heartbeatTimeout().isZero() ? WITHOUT_TIMEOUT : attempt.heartbeatTimeout();
  }

  /** Rarely, because each report is a write to the API server. */
  private void report() {
    ResourceRef resource = wait.subject().resource();
    String text = progress.text();
    if (resource == null || text.equals(reported) || nanos() < nextReport) {
      return;
    }
    nextReport = nanos() + REPORT_GAP.toNanos();
    reported = text;
    try {
      threads.execute(() -> report(resource, text));
    } catch (RejectedExecutionException closed) {
      LOG.debug("did not report {}: the worker stops", text);
    }
  }

  private void report(ResourceRef resource, String text) {
    try {
      reporter.report(resource, attempt.waiting(), text);
    } catch (RuntimeException e) {
      LOG.info("Could not write the progress of {}: {}", resource.display(), e.toString());
    }
  }

  private boolean isRefusedForLong(@Nullable Throwable cause) {
    if (!(cause instanceof ApplicationFailure failure)
        || !FailureType.REFUSED.equals(failure.getType())) {
      refusedSince = null;
      return false;
    }
    Moment now = pacer.moment();
    if (refusedSince == null) {
      refusedSince = now;
    }
    return now.since(refusedSince).compareTo(REFUSED_PATIENCE) >= 0;
  }

  /** From when the activity was scheduled, by Temporal's clock, to shortly after the deadline. */
  private Duration atMost() {
    long from = attempt.waiting().since().toEpochMilli();
    return Duration.ofMillis(wait.limit().deadlineMs() - from).plus(MARGIN);
  }

  /** How much is left of the time, over all attempts. */
  private Duration left() {
    Duration limit = atMost().plusMillis(wait.limit().extensionMs().getAsLong());
    Duration left = limit.minus(attempt.spent()).minus(pacer.moment().since(began));
    return left.isNegative() ? Duration.ZERO : left;
  }

  private long nanos() {
    return pacer.moment().nanos();
  }

  private WaitHeartbeat details() {
    return new WaitHeartbeat(progress.text(), wait.limit().extensionMs().getAsLong());
  }

  private ApplicationFailure interrupted() {
    Thread.currentThread().interrupt();
    return handOver(details());
  }

  static ApplicationFailure handOver(@Nullable WaitHeartbeat details) {
    return benign(
        Watcher.HANDED_OVER, "this worker stops; another one continues the wait", details);
  }

  private static ApplicationFailure benign(
      String type, String message, @Nullable WaitHeartbeat details) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setDetails(details)
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
    if (thrown == null) {
      return "the probe gave nothing";
    }
    String message =
        thrown instanceof ApplicationFailure failure
            ? failure.getOriginalMessage()
            : thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  /** Whether it is the probe's own fault, which is logged with its stack trace. */
  private static boolean isBug(@Nullable Throwable thrown) {
    return thrown instanceof NullPointerException
        || thrown instanceof ClassCastException
        || thrown instanceof Error;
  }

  private static String spelled(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
