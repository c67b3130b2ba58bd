package dev.sluice.activities.async;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop on a scheduled executor with one thread. */
final class SchedulerLoop implements Loop {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);

  private final ScheduledThreadPoolExecutor scheduler;

  SchedulerLoop(String name) {
    scheduler =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    // thousands of waits set and call off timers all the time
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void execute(Runnable task) {
    try {
      scheduler.execute(guarded(task));
    } catch (RejectedExecutionException closed) {
      LOG.debug("dropped a task: the watcher is closed");
    }
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    try {
      ScheduledFuture<?> due =
          scheduler.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> due.cancel(false);
    } catch (RejectedExecutionException closed) {
      return Timer.NONE;
    }
  }

  @Override
  public Moment moment() {
    return Moment.now();
  }

  /** An executor swallows what a scheduled task throws; this logs it. */
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.error("a task of the watcher failed; this is a bug", e);
      }
    };
  }

  @Override
  public void close() {
    scheduler.shutdown();
  }
}
