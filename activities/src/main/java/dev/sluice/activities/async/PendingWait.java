package dev.sluice.activities.async;

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
 */
final class PendingWait<T> {

  private static final Logger LOG = LoggerFactory.getLogger(PendingWait.class);

  /** Several wakes within this are one: informers come in bursts. */
  private static final Duration BURST = Duration.ofMillis(10);

  private final Wait<T> wait;
  private final ActivityTask task;
  private final Loop loop;
  private final Heartbeat heartbeat;
  private final CompletionReporter ending;
  private final WaitProgress progress = new WaitProgress();
  private Loop.Timer next = Loop.Timer.NONE;
  private Loop.Timer deadline = Loop.Timer.NONE;
  private @Nullable CompletableFuture<ProbeResult<T>> look;
  private boolean woken;
  private boolean late;
  private boolean ended;

  /**
   * @param gone told once, when Temporal knows or does not want to know any more
   */
  PendingWait(
      Wait<T> wait, ActivityTask task, Loop loop, Calls calls, Consumer<PendingWait<?>> gone) {
    this.wait = wait;
    this.task = task;
    this.loop = loop;
    this.heartbeat = new Heartbeat(task, calls, loop, progress::text, this::onTrouble);
    this.ending =
        new CompletionReporter(
            wait.what(),
            calls,
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
    Duration left = wait.atMost().minus(task.spent());
    deadline = loop.after(left.isNegative() ? Duration.ZERO : left, this::onDeadline);
    heartbeat.start();
    look();
  }

  /** Something may have changed: look at once, or once more if a look is under way. */
  void wake() {
    if (ended || woken) {
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
    CompletableFuture<ProbeResult<T>> started = startLook();
    look = started;
    next = loop.after(wait.polling().probeTimeout(), () -> abandon(started));
    CompletableFuture<ProbeResult<T>> unused =
        started.whenComplete(
            (outcome, thrown) -> loop.execute(() -> onLook(started, outcome, thrown)));
  }

  private CompletableFuture<ProbeResult<T>> startLook() {
    try {
      CompletableFuture<ProbeResult<T>> started = wait.probe().get();
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
    if (outcome instanceof ProbeResult.Done<T> it) {
      end(() -> task.complete(it.result()));
    } else if (outcome instanceof ProbeResult.Failed<T> it) {
      fail(it.type(), it.message(), it.retryable());
    } else {
      onUndecided(outcome instanceof ProbeResult.NotYet<T> it ? it : null, thrown);
    }
  }

  private void onUndecided(ProbeResult.@Nullable NotYet<T> seen, @Nullable Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    boolean news = seen != null ? progress.saw(seen.progress()) : progress.lost(reason(cause));
    if (news && isBug(cause)) {
      LOG.warn("the probe for {} is broken", wait.what(), cause);
    }
    if (late) {
      String message =
          "waited %s for %s; last seen: %s"
              .formatted(spelled(wait.atMost()), wait.what(), progress.text());
      fail(wait.timeoutType(), message, false);
      return;
    }
    next = loop.after(woken ? BURST : wait.polling().gap(progress.unchanged()), this::look);
    if (news) {
      heartbeat.news();
    }
  }

  /** A last look decides, so that what came true in the last moment is not called a failure. */
  private void onDeadline() {
    late = true;
    if (!ended && look == null) {
      next.cancel();
      look();
    }
  }

  private void onTrouble(RuntimeException thrown) {
    if (thrown instanceof ActivityCanceledException) {
      end(() -> task.cancelled(progress.text()));
    } else if (thrown instanceof ActivityNotExistsException) {
      LOG.debug("Temporal has given up the wait for {}", wait.what());
      end(() -> {});
    } else if (thrown instanceof ActivityPausedException) {
      interrupt(Watcher.INTERRUPTED, "the activity was paused");
    } else if (thrown instanceof ActivityResetException) {
      interrupt(Watcher.INTERRUPTED, "the activity was reset");
    } else {
      LOG.debug("no heartbeat for {}: {}", wait.what(), thrown.toString());
    }
  }

  private void interrupt(String type, String message) {
    ApplicationFailure benign =
        ApplicationFailure.newBuilder()
            .setType(type)
            .setMessage(message)
            .setDetails(progress.text())
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
    next.cancel();
    deadline.cancel();
    if (look != null) {
      look.cancel(true);
    }
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
    String message = thrown.getMessage();
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
