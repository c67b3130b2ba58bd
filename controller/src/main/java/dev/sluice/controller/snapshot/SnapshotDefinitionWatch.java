package dev.sluice.controller.snapshot;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out when an API server has come to know FlinkStateSnapshots, or knows them no more. One
 * that does not answer is asked again.
 */
public final class SnapshotDefinitionWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotDefinitionWatch.class);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "snapshot-definition");
            thread.setDaemon(true);
            return thread;
          });
  private final BooleanSupplier served;
  private final boolean before;
  private final Runnable changed;

  private SnapshotDefinitionWatch(BooleanSupplier served, boolean before, Runnable changed) {
    this.served = served;
    this.before = before;
    this.changed = changed;
  }

  /**
   * Begins to ask.
   *
   * @param served asks the API server; may fail as {@link SnapshotDefinition#isServed}
   * @param before what it said
   * @param between two questions
   * @param changed called once, on another thread
   */
  public static SnapshotDefinitionWatch start(
      BooleanSupplier served, boolean before, Duration between, Runnable changed) {
    SnapshotDefinitionWatch watch = new SnapshotDefinitionWatch(served, before, changed);
    ScheduledFuture<?> unused =
        watch.timer.scheduleWithFixedDelay(
            watch::look, between.toMillis(), between.toMillis(), TimeUnit.MILLISECONDS);
    return watch;
  }

  private void look() {
    try {
      if (served.getAsBoolean() != before) {
        timer.shutdown();
        changed.run();
      }
    } catch (KubernetesClientException unanswered) {
      LOG.debug("whether FlinkStateSnapshots are served", unanswered);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
