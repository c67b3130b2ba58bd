package dev.sluice.local.node;

import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The node's threads. None belongs to a pod; idle ones go away.
 *
 * @param timer only hands work on
 * @param pods look at pods
 * @param probes run probes, which block for up to their timeout
 * @param images pull images, one at a time
 * @param events write events, one at a time
 */
record Threads(
    ScheduledThreadPoolExecutor timer,
    ThreadPoolExecutor pods,
    ThreadPoolExecutor probes,
    ThreadPoolExecutor images,
    ThreadPoolExecutor events)
    implements AutoCloseable {

  static Threads create() {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("timer"));
    timer.setRemoveOnCancelPolicy(true);
    return new Threads(
        timer, pool(4, "pods"), pool(4, "probes"), pool(1, "images"), pool(1, "events"));
  }

  private static ThreadPoolExecutor pool(int size, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size, size, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    ThreadFactory usual = Executors.defaultThreadFactory();
    return task -> {
      Thread thread = usual.newThread(task);
      thread.setName(name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void close() {
    timer.shutdownNow();
    pods.shutdownNow();
    probes.shutdownNow();
    images.shutdownNow();
    events.shutdownNow();
  }
}
