package dev.sluice.activities.async;

import dev.sluice.workflows.activity.FailureType;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import io.temporal.client.ActivityResetException;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wait, from its registration until Temporal knows how it ended. Lives on the loop: looks, one
 * look at a time, until a look decides, the time is over, or Temporal takes the activity back.
 * While Temporal does not acknowledge its heartbeats it does nothing: another attempt may have
 * begun elsewhere.
 */
final class PendingWait<T> implements Heartbeat.Acknowledgement {

  private static final Logger LOG = LoggerFactory.getLogger(PendingWait.class);

  /** Several wakes within this are one: informers come in bursts. */
  private static final Duration BURST = Duration.ofMillis(10);

  /** So long Kubernetes may refuse what a look asks; then somebody should know. */
  private static final Duration REFUSED_PATIENCE = Duration.ofSeconds(30);

  private final Wait<T> wait;
  private final ActivityTask task;
  private final Loop loop;
  private final Lease lease;
  private final Heartbeat heartbeat;
  private final CompletionReporter ending;
  private final ReportSchedule reports;
  private final Moment began;
  private final WaitProgress progress = new WaitProgress();
  private Loop.Timer next = Loop.Timer.NONE;
  private Loop.Timer deadline = Loop.Timer.NONE;
  private @Nullable CompletableFuture<ProbeResult<T>> look;
  private @Nullable Moment refusedSince;
  private boolean woken;
  private boolean late;
  private boolean paused;
  private boolean ended;

  /**
   * @param gone told once, when Temporal knows or does not want to know any more
   */
  PendingWait(
      Wait<T> wait, ActivityTask task, WatcherServices services, Consumer<PendingWait<?>> gone) {
    this.wait = wait;
    this.task = task;
    this.loop = services.loop();
    this.began = loop.moment();
    this.lease = new Lease(task.heartbeatTimeout(), loop::moment);
    this.heartbeat =
        new Heartbeat(task, services.calls(), loop, this::details, this, services.random());
    this.reports =
        new ReportSchedule(
            services.reporter(),
            services.reports(),
            wait.subject().resource(),
            task.waiting(),
            began,
            task.spent());
    this.ending =
        new CompletionReporter(
            wait.what(),
            services.calls(),
            loop,
            () -> {
              heartbeat.stop();
              gone.accept(this);
            });
  }

  String key() {
    return wait.key();
  }

  void start() {
    deadline = loop.after(left(), this::onDeadline);
    heartbeat.start(wait.acts());
    look();
  }

  private Duration left() {
    Duration limit = wait.limit().atMost().plusMillis(wait.limit().extensionMs().getAsLong());
    Duration left = limit.minus(task.spent()).minus(loop.moment().since(began));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Something may have changed: look at once, or once more if a look is under way. */
  void wake() {
    if (ended || woken || paused) {
      return;
    }
    woken = true;
    if (look == null) {
      next.cancel();
      next = loop.after(BURST, this::look);
    }
  }

  /** Gives the activity back for another worker to take. */
  void handOver() {
    interrupt(Watcher.HANDED_OVER, "this worker stops; another one goes on waiting");
  }

  private void look() {
    woken = false;
    if (!lease.isAlive()) {
      pause();
      return;
    }
    CompletableFuture<ProbeResult<T>> started = startLook();
    look = started;
    next = loop.after(wait.polling().probeTimeout(), () -> abandon(started));
    CompletableFuture<ProbeResult<T>> unused =
        started.whenComplete(
            (outcome, thrown) -> loop.execute(() -> onLook(started, outcome, thrown)));
  }

  private CompletableFuture<ProbeResult<T>> startLook() {
    try {
      CompletableFuture<ProbeResult<T>> started = wait.probe().look(lease);
      return Objects.requireNonNull(started, "the probe gave no future");
    } catch (Exception | LinkageError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void abandon(CompletableFuture<ProbeResult<T>> slow) {
    String why = "took longer than " + spelled(wait.polling().probeTimeout());
    if (look == slow) {
      onLook(slow, null, new IllegalStateException(why));
      slow.cancel(true);
    }
  }

  private void onLook(
      CompletableFuture<ProbeResult<T>> done,
      @Nullable ProbeResult<T> outcome,
      @Nullable Throwable thrown) {
    if (ended || look != done) {
      return;
    }
    look = null;
    next.cancel();
    if (!lease.isAlive()) {
      pause();
    } else if (outcome instanceof ProbeResult.Done<T> it) {
      end(() -> task.complete(it.result()));
    } else if (outcome instanceof ProbeResult.Failed<T> it) {
      fail(it.type(), it.message(), it.retryable());
    } else {
      onUndecided(outcome instanceof ProbeResult.NotYet<T> it ? it : null, unwrapped(thrown));
    }
  }

  private void onUndecided(ProbeResult.@Nullable NotYet<T> seen, @Nullable Throwable cause) {
    boolean news = false;
    if (seen != null) {
      news = progress.saw(seen.progress());
    } else if (!(cause instanceof ActGuard.NotLeasedException)) {
      news = progress.lost(reason(cause));
    } else if (lease.isToldUntouched()) {
      heartbeat.atOnce(); // when that is acknowledged, it looks again
    }
    if (news && isBug(cause)) {
      LOG.warn("The probe for {} is broken", wait.what(), cause);
    }
    if (isRefusedForLong(cause)) {
      fail(FailureType.REFUSED, "waiting for " + wait.what() + ": " + reason(cause), false);
      return;
    }
    if (late) {
      Duration left = left();
      if (left.isZero()) {
        timedOut();
        return;
      }
      late = false;
      deadline = loop.after(left, this::onDeadline);
    }
    next = loop.after(woken ? BURST : wait.polling().gap(progress.unchanged()), this::look);
    if (news) {
      heartbeat.news();
    }
    reports.offer(progress.text(), loop.moment());
  }

  private boolean isRefusedForLong(@Nullable Throwable cause) {
    if (!(cause instanceof ApplicationFailure failure)
        || !FailureType.REFUSED.equals(failure.getType())) {
      refusedSince = null;
      return false;
    }
    Moment now = loop.moment();
    if (refusedSince == null) {
      refusedSince = now;
    }
    return now.since(refusedSince).compareTo(REFUSED_PATIENCE) >= 0;
  }

  private void timedOut() {
    String message =
        "waited %s for %s; last seen: %s"
            .formatted(spelled(wait.limit().atMost()), wait.what(), progress.text());
    fail(wait.limit().timeoutType(), message, false);
  }

  /** Nothing more until Temporal acknowledges a heartbeat. */
  private void pause() {
    paused = true;
    LOG.debug("Paused waiting for {}: Temporal does not acknowledge heartbeats", wait.what());
  }

  /** A last look decides, so that what came true in the last moment is not called a failure. */
  private void onDeadline() {
    Duration left = left();
    if (!left.isZero()) {
      deadline = loop.after(left, this::onDeadline);
      return;
    }
    late = true;
    if (!ended && !paused && look == null) {
      next.cancel();
      look();
    }
  }

  @Override
  public void sending(WaitHeartbeat shown) {
    if (shown.untouched()) {
      lease.toldUntouched(true);
    }
  }

  @Override
  public void acknowledged(Moment sent, WaitHeartbeat shown) {
    lease.renew(sent);
    if (lease.isToldUntouched() && !shown.untouched()) {
      lease.toldUntouched(false);
      wake();
    }
    if (paused && !ended) {
      paused = false;
      look();
    }
  }

  @Override
  public void refused(RuntimeException thrown) {
    if (thrown instanceof ActivityCanceledException) {
      end(() -> task.cancelled(details()));
    } else if (thrown instanceof ActivityNotExistsException) {
      LOG.debug("Temporal has given up the wait for {}", wait.what());
      end(() -> {});
    } else if (thrown instanceof ActivityPausedException) {
      interrupt(Watcher.INTERRUPTED, "the activity was paused");
    } else if (thrown instanceof ActivityResetException) {
      interrupt(Watcher.INTERRUPTED, "the activity was reset");
    } else {
      LOG.debug("No heartbeat for {}: {}", wait.what(), thrown.toString());
    }
  }

  private WaitHeartbeat details() {
    return new WaitHeartbeat(
        progress.text(),
        wait.limit().extensionMs().getAsLong(),
        wait.limit().untouched().getAsBoolean());
  }

  private void interrupt(String type, String message) {
    ApplicationFailure benign =
        ApplicationFailure.newBuilder()
            .setType(type)
            .setMessage(message)
            .setDetails(details())
            .setCategory(ApplicationErrorCategory.BENIGN)
            .build();
    end(() -> task.fail(benign));
  }

  private void fail(String type, String message, boolean retryable) {
    ApplicationFailure failure =
        ApplicationFailure.newBuilder()
            .setType(type)
            .setMessage(message)
            .setNonRetryable(!retryable)
            .build();
    end(() -> task.fail(failure));
  }

  /** Stops looking; the heart beats on until Temporal knows, so that it does not give up first. */
  private void end(Runnable call) {
    if (ended) {
      return;
    }
    ended = true;
    lease.close();
    next.cancel();
    deadline.cancel();
    if (look != null) {
      look.cancel(true);
    }
    wait.atEnd().run();
    ending.tell(task, call);
  }

  private static @Nullable Throwable unwrapped(@Nullable Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
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

  /** Whether it is the probe's own fault, which somebody should see with its stack trace. */
  private static boolean isBug(@Nullable Throwable thrown) {
    return thrown instanceof NullPointerException
        || thrown instanceof ClassCastException
        || thrown instanceof Error;
  }

  private static String spelled(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
