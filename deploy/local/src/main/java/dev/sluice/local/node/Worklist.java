package dev.sluice.local.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Things to look at, each known by a key. A key that is added while it is waiting is looked at
 * once; one that is added while it is looked at is looked at once more; two looks at one key never
 * overlap. A waiting key holds no thread.
 */
final class Worklist {
  private static final Logger LOG = LoggerFactory.getLogger(Worklist.class);

  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final Clock clock;
  private final Worker worker;
  private final Map<String, Turn> turns = new HashMap<>();
  private final Map<String, Alarm> alarms = new HashMap<>();

  /** Looks at a key. */
  interface Worker {
    void work(String key) throws Exception;
  }

  private enum Turn {
    WAITING,
    WORKING,
    AGAIN
  }

  private record Alarm(Instant at, ScheduledFuture<?> future) {}

  Worklist(Executor executor, ScheduledExecutorService timer, Clock clock, Worker worker) {
    this.executor = executor;
    this.timer = timer;
    this.clock = clock;
    this.worker = worker;
  }

  /** Looks at it as soon as a thread is free. */
  synchronized void add(String key) {
    if (turns.putIfAbsent(key, Turn.WAITING) == null) {
      executor.execute(() -> run(key));
    } else {
      turns.replace(key, Turn.WORKING, Turn.AGAIN);
    }
  }

  /** Looks at it at that time; an earlier time that is already set stays. */
  synchronized void addAt(String key, Instant at) {
    Alarm set = alarms.get(key);
    if (set != null && !set.at().isAfter(at)) {
      return;
    }
    if (set != null) {
      set.future().cancel(false);
    }
    // a millisecond late rather than early: early would find the time not come yet
    long millis = Math.max(0, Duration.between(clock.instant(), at).toMillis() + 1);
    ScheduledFuture<?> future = timer.schedule(() -> ring(key), millis, TimeUnit.MILLISECONDS);
    alarms.put(key, new Alarm(at, future));
  }

  private synchronized void ring(String key) {
    alarms.remove(key);
    add(key);
  }

  private void run(String key) {
    synchronized (this) {
      turns.put(key, Turn.WORKING);
    }
    try {
      worker.work(key);
    } catch (Exception e) {
      LOG.warn("Looking at {} failed, trying again in a second: {}", key, e.toString());
      LOG.debug("Looking at {} failed so", key, e);
      addAt(key, clock.instant().plusSeconds(1));
    } finally {
      done(key);
    }
  }

  private synchronized void done(String key) {
    if (turns.remove(key) == Turn.AGAIN) {
      add(key);
    }
  }
}
