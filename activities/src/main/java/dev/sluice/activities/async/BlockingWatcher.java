package dev.sluice.activities.async;

import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.client.ActivityCompletionClient;
import io.temporal.client.ActivityNotExistsException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The waits of a worker, each in the thread of its activity. */
public final class BlockingWatcher implements Watcher, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BlockingWatcher.class);

  private final ActivityCompletionClient temporal;
  private final Supplier<Pacer> pacers;
  private final ExecutorService threads;
  private final WaitReporter reporter;
  private final Map<String, Set<WaitLoop<?>>> byKey = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();
  private final CompletableFuture<Boolean> handedOver = new CompletableFuture<>();
  private volatile boolean closed;

  /**
   * A watcher without waits.
   *
   * @param temporal {@code workflowClient.newActivityCompletionClient()}: its heartbeats are
   *     acknowledged, those of an {@link ActivityExecutionContext} are not
   * @param reporter is called for long waits
   */
  public BlockingWatcher(ActivityCompletionClient temporal, WaitReporter reporter) {
    this(temporal, reporter, Pacer::real);
  }

  BlockingWatcher(
      ActivityCompletionClient temporal, WaitReporter reporter, Supplier<Pacer> pacers) {
    this.temporal = temporal;
    this.reporter = reporter;
    this.pacers = pacers;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "wait-look");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  @SuppressWarnings("NullAway") // an activity may have no result
  public <T> T watch(Wait<T> wait) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    WaitLoop<T> loop =
        new WaitLoop<>(wait, attempt(activity.getInfo()), pacers.get(), reporter, threads);
    open.incrementAndGet();
    byKey.compute(wait.key(), (key, loops) -> added(loops, loop));
    try {
      if (closed) {
        throw WaitLoop.handOver(null);
      }
      return loop.run();
    } catch (ActivityNotExistsException over) {
      LOG.debug("Temporal has given up the wait for {}", wait.what());
      activity.doNotCompleteOnReturn(); // nobody takes a result
      return null;
    } finally {
      byKey.computeIfPresent(wait.key(), (key, loops) -> removed(loops, loop));
      if (open.decrementAndGet() == 0 && closed) {
        handedOver.complete(true);
      }
    }
  }

  private WaitLoop.Attempt attempt(ActivityInfo info) {
    byte[] token = info.getTaskToken();
    // both from Temporal's clock, so that a worker's clock does not matter
    long spent = info.getCurrentAttemptScheduledTimestamp() - info.getScheduledTimestamp();
    return new WaitLoop.Attempt(
        details -> temporal.heartbeat(token, details),
        info.getHeartbeatTimeout(),
        Duration.ofMillis(Math.max(0, spent)),
        new WaitReporter.Waiting(
            info.getRunId(),
            info.getActivityType(),
            Instant.ofEpochMilli(info.getScheduledTimestamp())));
  }

  private static Set<WaitLoop<?>> added(@Nullable Set<WaitLoop<?>> loops, WaitLoop<?> loop) {
    Set<WaitLoop<?>> all = loops == null ? ConcurrentHashMap.newKeySet() : loops;
    all.add(loop);
    return all;
  }

  private static @Nullable Set<WaitLoop<?>> removed(Set<WaitLoop<?>> loops, WaitLoop<?> loop) {
    loops.remove(loop);
    return loops.isEmpty() ? null : loops;
  }

  @Override
  public void wake(String key) {
    byKey.getOrDefault(key, Set.of()).forEach(WaitLoop::wake);
  }

  /** How many waits are open. */
  public int open() {
    return open.get();
  }

  /**
   * Ends every open wait with a retryable failure, so that another worker continues it at once
   * rather than after the heartbeat timeout. Blocks until all have ended, or the time is over. Call
   * it when the worker polls no more.
   */
  public void handOver(Duration atMost) {
    closed = true;
    byKey.values().stream().flatMap(Set::stream).forEach(WaitLoop::handOver);
    if (open.get() == 0) {
      handedOver.complete(true);
    }
    boolean all =
        handedOver.completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS).join();
    if (!all) {
      LOG.warn("{} waits are left to their heartbeat timeout", open.get());
    }
  }

  /** Ends what is left, without waiting for it. */
  @Override
  public void close() {
    handOver(Duration.ZERO);
    threads.shutdown();
  }
}
