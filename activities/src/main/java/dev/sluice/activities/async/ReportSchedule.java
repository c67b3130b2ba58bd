package dev.sluice.activities.async;

import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a wait is reported in the status: seldom, because each report is a write to the API server.
 * Lives on the loop; the reports do not.
 */
final class ReportSchedule {

  private static final Logger LOG = LoggerFactory.getLogger(ReportSchedule.class);

  /** Who waits that long wants to know for what. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(10);

  private static final Duration GAP = Duration.ofSeconds(15);

  private final WaitReporter reporter;
  private final Executor threads;
  private final @Nullable ResourceRef resource;
  private final WaitReporter.Waiting waiting;
  private final Moment began;
  private final Duration spent;
  private @Nullable Moment last;
  private String told = "";

  /**
   * @param resource whose wait it is; null: it is not reported
   * @param waiting who waits
   * @param spent how long earlier attempts took
   */
  ReportSchedule(
      WaitReporter reporter,
      Executor threads,
      @Nullable ResourceRef resource,
      WaitReporter.Waiting waiting,
      Moment began,
      Duration spent) {
    this.reporter = reporter;
    this.threads = threads;
    this.resource = resource;
    this.waiting = waiting;
    this.began = began;
    this.spent = spent;
  }

  /** What is seen now; it is told when it is due and new. */
  void offer(String text, Moment now) {
    if (resource == null || text.equals(told) || !isDue(now)) {
      return;
    }
    last = now;
    told = text;
    ResourceRef of = resource;
    try {
      threads.execute(() -> report(of, text));
    } catch (RejectedExecutionException closed) {
      LOG.debug("did not report {}: the worker stops", text);
    }
  }

  private boolean isDue(Moment now) {
    return now.since(began).plus(spent).compareTo(LONG_WAIT) >= 0
        && (last == null || now.since(last).compareTo(GAP) >= 0);
  }

  private void report(ResourceRef of, String text) {
    try {
      reporter.report(of, waiting, text);
    } catch (RuntimeException e) {
      LOG.info("Could not write the progress of {}: {}", of.display(), e.toString());
    }
  }
}
