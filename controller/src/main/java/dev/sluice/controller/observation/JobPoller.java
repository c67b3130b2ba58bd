package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.controller.deployment.ObservedJob;
import dev.sluice.controller.deployment.ObservedJob.Answered;
import dev.sluice.controller.deployment.ObservedJob.Pending;
import dev.sluice.controller.deployment.ObservedJob.Unreachable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cluster that is asked again and again. At most one request is under way; no thread waits for
 * it.
 */
final class JobPoller {

  private static final Logger LOG = LoggerFactory.getLogger(JobPoller.class);

  private final FlinkRest flink;
  private final PollInterval pace;
  private final ScheduledExecutorService timer;
  private final LongAdder passes;
  private final Runnable changed;

  private PollTarget look;
  private ObservedJob seen = new Pending();
  private int failures;
  private long lastChange = System.nanoTime();
  private boolean asking;
  private boolean again;
  private boolean closed;
  private @Nullable ScheduledFuture<?> next;

  JobPoller(
      FlinkRest flink,
      PollInterval pace,
      ScheduledExecutorService timer,
      LongAdder passes,
      Runnable changed,
      PollTarget look) {
    this.flink = flink;
    this.pace = pace;
    this.timer = timer;
    this.passes = passes;
    this.changed = changed;
    this.look = look;
  }

  /** What was answered, if it is about this. */
  synchronized ObservedJob seen(String about) {
    return look.about().equals(about) ? seen : new Pending();
  }

  synchronized void watch(PollTarget now) {
    PollTarget before = look;
    look = now;
    if (!before.about().equals(now.about())) {
      seen = new Pending();
      failures = 0;
      touch();
      ask();
    } else if (next == null && !asking) {
      ask();
    } else if (!before.pods().equals(now.pods())) {
      touch();
      ask();
    } else if (before.settled() != now.settled() && !asking) {
      touch();
      schedule();
    }
  }

  synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel(false);
    }
  }

  private void touch() {
    lastChange = System.nanoTime();
  }

  private synchronized void ask() {
    if (closed) {
      return;
    }
    if (asking) {
      again = true; // the answer under way may be older than what made us ask
      return;
    }
    if (next != null) {
      next.cancel(false);
    }
    asking = true;
    passes.increment();
    PollTarget asked = look;
    answer(asked).whenComplete((answer, failure) -> take(asked, answer, failure));
  }

  /** One request; a second one only after a change, for what hardly ever changes. */
  private CompletableFuture<Answered> answer(PollTarget asked) {
    Map<String, String> known = seen instanceof Answered before ? before.clusterInfo() : Map.of();
    CompletableFuture<Answered> jobs =
        flink
            .jobsOverview(asked.endpoint())
            .thenApply(
                overview -> new Answered(JobOverviewReader.job(overview, asked.jobId()), known));
    return known.isEmpty() ? jobs.thenCompose(answer -> withInfo(asked, answer)) : jobs;
  }

  private CompletableFuture<Answered> withInfo(PollTarget asked, Answered answer) {
    return flink
        .overview(asked.endpoint())
        .handle(
            (overview, failure) ->
                overview == null
                    ? answer
                    : new Answered(answer.job(), JobOverviewReader.clusterInfo(overview)));
  }

  private void take(PollTarget asked, @Nullable Answered answer, @Nullable Throwable failure) {
    boolean differs;
    synchronized (this) {
      asking = false;
      boolean stale = !look.about().equals(asked.about());
      differs = !stale && (answer != null ? answered(answer) : failed(asked, failure));
      if (again || stale) {
        again = false;
        ask();
      } else {
        schedule();
      }
    }
    if (differs) {
      changed.run();
    }
  }

  private boolean answered(Answered answer) {
    failures = 0;
    boolean differs = answer.differsFrom(seen);
    seen = answer;
    if (differs) {
      touch();
    }
    return differs;
  }

  /** A job that was seen running is not given up for one answer that did not come. */
  private boolean failed(PollTarget asked, @Nullable Throwable failure) {
    failures++;
    LOG.debug("{} did not answer ({} in a row)", asked.endpoint(), failures, failure);
    if (seen instanceof Answered && failures < pace.failures()) {
      touch();
      return false;
    }
    Unreachable now = new Unreachable(why(asked, failure));
    boolean differs = !now.equals(seen);
    seen = now;
    return differs;
  }

  private static String why(PollTarget asked, @Nullable Throwable failure) {
    boolean strange =
        failure != null
            && FlinkRestException.in(failure)
                .filter(e -> !(e instanceof FlinkRestException.Unreachable))
                .isPresent();
    return "the JobManager of "
        + asked.endpoint()
        + (strange ? " does not answer as Flink does" : " does not answer its REST API");
  }

  private void schedule() {
    if (closed) {
      return;
    }
    if (next != null) {
      next.cancel(false);
    }
    Duration unchanged = Duration.ofNanos(System.nanoTime() - lastChange);
    boolean settled = look.settled() && failures == 0;
    long delay = pace.until(settled, unchanged).toMillis();
    next = timer.schedule(this::ask, delay, TimeUnit.MILLISECONDS);
  }
}
