package dev.sluice.activities.async;

import dev.sluice.activities.async.WaitLoop.Moment;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.client.ActivityCompletionClient;
import io.temporal.client.ActivityNotExistsException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The waits of a worker, each in the thread of its activity. */
public final class BlockingWatcher implements Watcher, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BlockingWatcher.class);

  private final ActivityCompletionClient temporal;
  private final ExecutorService threads;
  private final WaitReporter reporter;
  private final Set<WaitLoop<?>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * A watcher without waits.
   *
   * @param temporal {@code workflowClient.newActivityCompletionClient()}: its heartbeats are
   *     acknowledged, those of an {@link ActivityExecutionContext} are not
   * @param reporter is called for long waits
   */
  public BlockingWatcher(ActivityCompletionClient temporal, WaitReporter reporter) {
    this.temporal = temporal;
    this.reporter = reporter;
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
    ActivityInfo info = activity.getInfo();
    byte[] token = info.getTaskToken();
    WaitLoop<T> loop =
        new WaitLoop<>(
            wait, info, it -> temporal.heartbeat(token, it), Moment::now, reporter, threads);
    open.add(loop);
    try {
      if (closed) {
        loop.handOver();
      }
      return loop.run();
    } catch (ActivityNotExistsException over) {
      LOG.debug("Temporal has given up the wait for {}", wait.subject().what());
      activity.doNotCompleteOnReturn(); // nobody takes a result
      return null;
    } finally {
      open.remove(loop);
    }
  }

  @Override
  public void wake(String key) {
    open.stream().filter(loop -> loop.key().equals(key)).forEach(WaitLoop::wake);
  }

  public int open() {
    return open.size();
  }

  /**
   * Ends every open wait with a retryable failure, so that another worker continues it at once
   * rather than after the heartbeat timeout. Call it when the worker polls no more.
   */
  public void handOver() {
    closed = true;
    open.forEach(WaitLoop::handOver);
  }

  @Override
  public void close() {
    handOver();
    threads.shutdown();
  }
}
