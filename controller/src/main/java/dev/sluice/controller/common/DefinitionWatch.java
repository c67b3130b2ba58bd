package dev.sluice.controller.common;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out when an API server has come to know a kind, or knows it no more. One that does not
 * answer is asked again.
 */
public final class DefinitionWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DefinitionWatch.class);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "definitions");
            thread.setDaemon(true);
            return thread;
          });
  private final Supplier<?> served;
  private final Object before;
  private final Runnable changed;

  private DefinitionWatch(Supplier<?> served, Object before, Runnable changed) {
    this.served = served;
    this.before = before;
    this.changed = changed;
  }

  /**
   * Begins to ask.
   *
   * @param served asks the API server; may fail as {@link ServedDefinition#isServed}
   * @param before what it said
   * @param between two questions
   * @param changed called once, on another thread
   */
  public static DefinitionWatch start(
      Supplier<?> served, Object before, Duration between, Runnable changed) {
    DefinitionWatch watch = new DefinitionWatch(served, before, changed);
    ScheduledFuture<?> unused =
        watch.timer.scheduleWithFixedDelay(
            watch::look, between.toMillis(), between.toMillis(), TimeUnit.MILLISECONDS);
    return watch;
  }

  private void look() {
    try {
      if (!before.equals(served.get())) {
        timer.shutdown();
        changed.run();
      }
    } catch (KubernetesClientException unanswered) {
      LOG.debug("which kinds are served", unanswered);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
