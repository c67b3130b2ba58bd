package dev.sluice.activities.async;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Heartbeats for one activity: at a third of its heartbeat timeout, and sooner when there is news
 * to show, but at most once a second and never two at a time.
 */
final class Heartbeat {

  /** How often an activity without a heartbeat timeout is asked whether it was cancelled. */
  private static final Duration UNASKED = Duration.ofSeconds(10);

  private static final Duration NEWS = Duration.ofSeconds(1);

  private final ActivityTask task;
  private final Calls calls;
  private final Loop loop;
  private final Supplier<String> progress;
  private final Consumer<RuntimeException> trouble;
  private final Duration interval;
  private Loop.Timer regular = Loop.Timer.NONE;
  private boolean resting;
  private boolean inFlight;
  private boolean news;
  private boolean stopped;

  /**
   * @param progress what to show
   * @param trouble told when a heartbeat did not arrive, or Temporal answered that the activity is
   *     over
   */
  Heartbeat(
      ActivityTask task,
      Calls calls,
      Loop loop,
      Supplier<String> progress,
      Consumer<RuntimeException> trouble) {
    this.task = task;
    this.calls = calls;
    this.loop = loop;
    this.progress = progress;
    this.trouble = trouble;
    Duration timeout = task.heartbeatTimeout();
    this.interval = timeout.isZero() ? UNASKED : timeout.dividedBy(3);
  }

  void start() {
    regular = loop.after(interval, this::beat);
  }

  /** There is something new to show. */
  void news() {
    news = true;
    if (!resting) {
      beat();
    }
  }

  void stop() {
    stopped = true;
    regular.cancel();
  }

  private void beat() {
    if (stopped) {
      return;
    }
    regular.cancel();
    regular = loop.after(interval, this::beat);
    if (inFlight) {
      return;
    }
    inFlight = true;
    resting = true;
    news = false;
    String text = progress.get();
    loop.after(NEWS, this::rested);
    calls.make(
        () -> task.heartbeat(text),
        thrown -> {
          inFlight = false;
          if (thrown != null && !stopped) {
            trouble.accept(thrown);
          }
        });
  }

  private void rested() {
    resting = false;
    if (news) {
      beat();
    }
  }
}
