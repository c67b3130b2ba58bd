package dev.sluice.activities.async;

import dev.sluice.activities.async.Pacer.Moment;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How long an attempt of an activity can be sure that Temporal has not given the activity to
 * another one: until a margin before its heartbeat timeout ends, counted from when the last
 * acknowledged heartbeat was sent. May be asked from any thread.
 */
final class Lease implements ActGuard {

  /** For what begins right before the end: a call on its way, a thread that is not scheduled. */
  private static final int MARGIN = 6;

  private final Supplier<Moment> clock;
  private final @Nullable Duration length;
  private volatile Moment since;
  private volatile boolean proved;
  private volatile boolean closed;

  /**
   * @param heartbeatTimeout of the activity; zero: it never ends by itself
   */
  Lease(Duration heartbeatTimeout, Supplier<Moment> clock) {
    this.clock = clock;
    this.since = clock.get();
    this.length =
        heartbeatTimeout.isZero()
            ? null
            : heartbeatTimeout.minus(heartbeatTimeout.dividedBy(MARGIN));
    this.proved = length == null;
  }

  /** Temporal has acknowledged a heartbeat that was sent then. */
  void renew(Moment sent) {
    since = sent;
    proved = true;
  }

  /** The wait has ended. */
  void close() {
    closed = true;
  }

  /** Whether it may look on, and say what it saw. */
  boolean isAlive() {
    return length == null || clock.get().since(since).compareTo(length) < 0;
  }

  /** Not before the first acknowledged heartbeat: it is not known when Temporal began to count. */
  @Override
  public boolean mayAct() {
    return proved && !closed && isAlive();
  }
}
