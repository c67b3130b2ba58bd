package dev.sluice.local.node.pod;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at one thing whenever it is woken: once for all who wake it before the look begins, once
 * more for those who do so during it, never twice at a time. While it waits it holds no thread.
 */
public final class WakeLoop {
  private static final Logger LOG = LoggerFactory.getLogger(WakeLoop.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final String name;
  private final ScheduledExecutorService executor;
  private final Look look;
  private final AtomicInteger wakes = new AtomicInteger();
  private @Nullable Future<?> alarm;

  /** One round: observe, then act. */
  public interface Look {
    /** Returns the longest wait until the next round; empty to wait until woken. */
    Optional<Duration> look() throws Exception;
  }

  /** Looks on a thread of the executor; a look that fails is tried again. */
  public WakeLoop(String name, ScheduledExecutorService executor, Look look) {
    this.name = name;
    this.executor = executor;
    this.look = look;
  }

  public void wake() {
    if (wakes.getAndIncrement() == 0) {
      executor.execute(this::run);
    }
  }

  private void run() {
    wakes.set(1);
    Optional<Duration> next = Optional.of(RETRY);
    try {
      next = look.look();
    } catch (Throwable e) { // after an Error, too, it has to be woken again
      LOG.warn("{}: failed, retrying in 1 s: {}", name, e.toString());
      LOG.debug("{}: failed", name, e);
    }
    if (alarm != null) {
      alarm.cancel(false);
    }
    // a millisecond late rather than early: early would find the time not come yet
    alarm =
        next.map(in -> executor.schedule(this::wake, in.toMillis() + 1, TimeUnit.MILLISECONDS))
            .orElse(null);
    if (wakes.getAndSet(0) > 1) {
      wake();
    }
  }
}
