package dev.sluice.activities.async;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats for one activity, as few as keep it: shortly before two thirds of its heartbeat
 * timeout are over, sooner when one was not acknowledged, and for news at most every {@link #NEWS}.
 * Never two at a time. A wait that is over within {@link #NEWS} needs none.
 *
 * <p>5,000 waits with a timeout of 30 s make 279 calls a second, and use 5 % of one core.
 */
final class Heartbeat {

  /** How often an activity without a heartbeat timeout is asked whether it was cancelled. */
  private static final Duration UNASKED = Duration.ofSeconds(20);

  /** How often changed progress is shown in Temporal's UI, at most. */
  static final Duration NEWS = Duration.ofSeconds(5);

  // each a part of the timeout; thousands of waits that began together drift apart
  private static final double LATEST = 2.0 / 3;
  private static final double SPREAD = 1.0 / 10;
  private static final int TRY_AGAIN = 12;

  private final ActivityTask task;
  private final Calls calls;
  private final Loop loop;
  private final Supplier<WaitHeartbeat> details;
  private final Acknowledgement acknowledgement;
  private final DoubleSupplier random;
  private Loop.Timer regular = Loop.Timer.NONE;
  private Loop.Timer rest = Loop.Timer.NONE;
  private boolean resting;
  private boolean inFlight;
  private boolean news;
  private boolean urgent;
  private boolean stopped;

  /** Told how each heartbeat went. */
  interface Acknowledgement {
    /** This one is about to be sent. */
    void sending(WaitHeartbeat shown);

    /** Temporal took the one that was sent then. */
    void acknowledged(Moment sent, WaitHeartbeat shown);

    /** It did not arrive, or Temporal answered that the activity is over. */
    void refused(RuntimeException why);
  }

  /**
   * @param details what to show
   * @param random from 0 to 1
   */
  Heartbeat(
      ActivityTask task,
      Calls calls,
      Loop loop,
      Supplier<WaitHeartbeat> details,
      Acknowledgement acknowledgement,
      DoubleSupplier random) {
    this.task = task;
    this.calls = calls;
    this.loop = loop;
    this.details = details;
    this.acknowledgement = acknowledgement;
    this.random = random;
  }

  /**
   * Begins.
   *
   * @param atOnce with one now, because something is about to be changed under it
   */
  void start(boolean atOnce) {
    if (atOnce) {
      beat();
    } else {
      regular = loop.after(interval(), this::beat);
      rest();
    }
  }

  /** There is something new to show. */
  void news() {
    news = true;
    if (!resting) {
      beat();
    }
  }

  /** Temporal must know something before anything is changed. */
  void atOnce() {
    urgent = true;
    beat();
  }

  void stop() {
    stopped = true;
    regular.cancel();
    rest.cancel();
  }

  private Duration interval() {
    Duration timeout = task.heartbeatTimeout();
    return timeout.isZero()
        ? UNASKED
        : part(timeout, LATEST - SPREAD * Math.min(1, Math.max(0, random.getAsDouble())));
  }

  private void beat() {
    if (stopped) {
      return;
    }
    again(interval());
    if (inFlight) {
      return;
    }
    inFlight = true;
    news = false;
    urgent = false;
    rest();
    WaitHeartbeat shown = details.get();
    acknowledgement.sending(shown);
    Moment sent = loop.moment();
    calls.make(() -> task.heartbeat(shown), thrown -> answered(sent, shown, thrown));
  }

  private void answered(Moment sent, WaitHeartbeat shown, @Nullable RuntimeException thrown) {
    inFlight = false;
    if (stopped) {
      return;
    }
    if (thrown == null) {
      acknowledgement.acknowledged(sent, shown);
      if (urgent) {
        beat();
      }
      return;
    }
    Duration timeout = task.heartbeatTimeout();
    if (!timeout.isZero()) {
      again(timeout.dividedBy(TRY_AGAIN));
    }
    acknowledgement.refused(thrown);
  }

  private void again(Duration later) {
    regular.cancel();
    regular = loop.after(later, this::beat);
  }

  private void rest() {
    resting = true;
    rest.cancel();
    rest = loop.after(NEWS, this::rested);
  }

  private void rested() {
    resting = false;
    if (news) {
      beat();
    }
  }

  private static Duration part(Duration whole, double part) {
    return Duration.ofMillis(Math.round(whole.toMillis() * part));
  }
}
