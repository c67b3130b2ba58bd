package dev.sluice.activities.async;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.client.ActivityCompletionClient;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watcher of a worker: one thread for all looks, a few for the calls to Temporal, whatever the
 * number of waits.
 */
public final class TemporalWatcher implements Watcher {

  private static final Logger LOG = LoggerFactory.getLogger(TemporalWatcher.class);

  private final ActivityCompletionClient temporal;
  private final Loop loop;
  private final ExecutorService threads;
  private final WatcherServices services;
  private final Map<String, Set<PendingWait<?>>> byKey = new HashMap<>();
  private final AtomicInteger open = new AtomicInteger();
  private final CompletableFuture<Boolean> handedOver = new CompletableFuture<>();
  private volatile boolean closed;

  /**
   * A watcher with threads of its own, which does not report long waits.
   *
   * @param temporal {@code workflowClient.newActivityCompletionClient()}
   * @param callThreads most calls to Temporal at once
   */
  public TemporalWatcher(ActivityCompletionClient temporal, int callThreads) {
    this(temporal, callThreads, WaitReporter.NONE, Runnable::run);
  }

  /**
   * A watcher with threads of its own.
   *
   * @param temporal {@code workflowClient.newActivityCompletionClient()}
   * @param callThreads most calls to Temporal at once
   * @param reporter told about long waits
   * @param reports runs the reporter; not closed with the watcher
   */
  public TemporalWatcher(
      ActivityCompletionClient temporal, int callThreads, WaitReporter reporter, Executor reports) {
    this(temporal, new SchedulerLoop("watcher"), pool(callThreads), reporter, reports);
  }

  TemporalWatcher(
      ActivityCompletionClient temporal,
      Loop loop,
      ExecutorService threads,
      WaitReporter reporter,
      Executor reports) {
    this.temporal = temporal;
    this.loop = loop;
    this.threads = threads;
    this.services =
        new WatcherServices(
            loop,
            new Calls(threads, loop),
            reporter,
            reports,
            () -> ThreadLocalRandom.current().nextDouble());
  }

  @Override
  @SuppressWarnings("NullAway") // Temporal ignores what is returned
  public <T> T watch(ActivityExecutionContext activity, Wait<T> wait) {
    ActivityInfo info = activity.getInfo();
    // both from Temporal's clock, so that a worker's clock does not matter
    long spent = info.getCurrentAttemptScheduledTimestamp() - info.getScheduledTimestamp();
    ActivityTask task =
        new ActivityTask(
            temporal,
            info.getTaskToken(),
            new WaitReporter.Waiting(
                info.getRunId(),
                info.getActivityType(),
                Instant.ofEpochMilli(info.getScheduledTimestamp())),
            info.getHeartbeatTimeout(),
            Duration.ofMillis(Math.max(0, spent)));
    register(task, wait);
    activity.doNotCompleteOnReturn();
    return null;
  }

  <T> void register(ActivityTask task, Wait<T> wait) {
    if (closed) {
      throw new IllegalStateException("this worker is stopping and accepts no more waits");
    }
    open.incrementAndGet();
    loop.execute(() -> begin(task, wait));
  }

  private <T> void begin(ActivityTask task, Wait<T> wait) {
    PendingWait<T> it = new PendingWait<>(wait, task, services, this::forget);
    byKey.computeIfAbsent(wait.key(), key -> new LinkedHashSet<>()).add(it);
    it.start();
    if (closed) {
      it.handOver();
    }
  }

  private void forget(PendingWait<?> wait) {
    byKey.computeIfPresent(
        wait.key(),
        (key, waits) -> {
          waits.remove(wait);
          return waits.isEmpty() ? null : waits;
        });
    if (open.decrementAndGet() == 0 && closed) {
      handedOver.complete(true);
    }
  }

  @Override
  public void wake(String key) {
    loop.execute(() -> byKey.getOrDefault(key, Set.of()).forEach(PendingWait::wake));
  }

  @Override
  public int open() {
    return open.get();
  }

  @Override
  public void handOver(Duration atMost) {
    closed = true;
    loop.execute(
        () -> {
          byKey.values().stream().flatMap(Set::stream).toList().forEach(PendingWait::handOver);
          if (open.get() == 0) {
            handedOver.complete(true);
          }
        });
    boolean all =
        handedOver.completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS).join();
    if (!all) {
      LOG.warn("{} waits are left to their heartbeat timeout", open.get());
    }
  }

  @Override
  public void close() {
    closed = true;
    loop.close();
    threads.shutdown();
  }

  private static ExecutorService pool(int size) {
    AtomicInteger number = new AtomicInteger();
    return Executors.newFixedThreadPool(
        size,
        task -> {
          Thread thread = new Thread(task, "watcher-temporal-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
