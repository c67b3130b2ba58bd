package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one cluster again and again. At most one request is under way; no thread waits for it.
 *
 * <p>A poll is one request. Flink is asked for more only after a change: for its version when it
 * begins to answer, and for details of the job when they matter, see {@link JobDetails}.
 */
final class JobPoller {

  private static final Logger LOG = LoggerFactory.getLogger(JobPoller.class);

  private final FlinkRest flink;
  private final JobDetails job;
  private final ClusterDetails cluster;
  private final HealthDetails health;
  private final PolledJobs hosted;
  private final PollInterval interval;
  private final IntSupplier clusters;
  private final Supplier<Duration> firstTurn;
  private final ScheduledExecutorService timer;
  private final LongAdder polls;
  private final Runnable changed;

  private PollTarget target;
  private ObservedJob observed = new Pending();
  private int failures;
  private int silence;
  private boolean asking;
  private boolean again;
  private boolean closed;
  private @Nullable ScheduledFuture<?> next;

  JobPoller(
      FlinkRest flink,
      PolledJobs hosted,
      PollInterval interval,
      IntSupplier clusters,
      Supplier<Duration> firstTurn,
      ScheduledExecutorService timer,
      LongAdder polls,
      Runnable changed,
      PollTarget target) {
    this.flink = flink;
    this.job = new JobDetails(flink);
    this.cluster = new ClusterDetails(flink);
    this.hosted = hosted;
    this.health = new HealthDetails(flink, Clock.systemUTC());
    this.interval = interval;
    this.clusters = clusters;
    this.firstTurn = firstTurn;
    this.timer = timer;
    this.polls = polls;
    this.changed = changed;
    this.target = target;
  }

  /** What was answered, if it is about this. */
  synchronized ObservedJob observed(String subject) {
    return target.subject().equals(subject) ? observed : new Pending();
  }

  /** From now on asks for this. */
  void poll(PollTarget now) {
    if (look(now)) {
      hosted.silent(new Pending());
    }
  }

  /** Returns whether earlier answers are void. */
  private synchronized boolean look(PollTarget now) {
    PollTarget before = target;
    target = now;
    boolean other = !before.subject().equals(now.subject());
    if (other) {
      observed = new Pending();
      failures = 0;
      silence = 0;
      ask();
    } else if (!before.hint().equals(now.hint())) {
      silence = 0;
      ask();
    } else if (next == null && !asking) {
      schedule(firstTurn.get());
    }
    return other;
  }

  synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel(false);
    }
  }

  /** Something else is looked for in the next answer; the first one is on its way anyway. */
  synchronized void lookAgain() {
    if (asking) {
      again = true;
    } else if (!(observed instanceof Pending)) {
      ask();
    }
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
    polls.increment();
    PollTarget asked = target;
    answerOrFailure(asked).whenComplete((all, failure) -> take(asked, all, failure));
  }

  /** A throw would leave this waiting for an answer for ever. */
  private CompletableFuture<All> answerOrFailure(PollTarget asked) {
    try {
      return answer(asked);
    } catch (RuntimeException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  /** What came of a question, for the cluster and for the jobs of others on it. */
  private record All(Answered cluster, List<PolledJob.Reply> hosted) {}

  private CompletableFuture<All> answer(PollTarget asked) {
    List<PolledJob.Question> questions = hosted.questions();
    return flink
        .jobsOverview(asked.endpoint())
        .thenCompose(
            overview ->
                answer(asked, overview)
                    .thenCombine(PolledJobs.answer(questions, asked, overview), All::new));
  }

  private CompletableFuture<Answered> answer(PollTarget asked, JobsOverview overview) {
    return JobOverviewReader.job(overview, asked)
        .map(found -> job.complete(asked.endpoint(), found).thenApply(Optional::of))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
        .thenCompose(
            found ->
                cluster
                    .of(asked, found)
                    .thenCombine(
                        health.of(asked, found),
                        (known, unhealthy) ->
                            new Answered(found, known.info(), unhealthy, known.failing())));
  }

  private void take(PollTarget asked, @Nullable All answer, @Nullable Throwable failure) {
    boolean differs;
    boolean stale;
    ObservedJob now;
    synchronized (this) {
      asking = false;
      stale = !target.subject().equals(asked.subject());
      differs = !stale && (answer != null ? answered(answer.cluster()) : failed(asked, failure));
      now = observed;
      if (again || stale) {
        again = false;
        ask();
      } else {
        schedule(
            interval.next(clusters.getAsInt(), silence, ThreadLocalRandom.current().nextDouble()));
      }
    }
    if (!stale && answer != null) {
      answer.hosted().forEach(PolledJob.Reply::deliver);
    } else if (!stale && now instanceof Unreachable) {
      hosted.silent(now);
    }
    if (differs) {
      changed.run();
    }
  }

  private boolean answered(Answered answer) {
    failures = 0;
    silence = 0;
    boolean differs = answer.differsFrom(observed);
    observed = answer;
    return differs;
  }

  /** A single missing answer does not make a running job unreachable. */
  private boolean failed(PollTarget asked, @Nullable Throwable failure) {
    failures++;
    silence++;
    LOG.debug("{} did not answer ({} in a row)", asked.endpoint(), failures, failure);
    if (observed instanceof Answered && failures < interval.failures()) {
      return false;
    }
    Unreachable now = new Unreachable(why(asked, failure));
    boolean differs = !now.equals(observed);
    observed = now;
    return differs;
  }

  private static String why(PollTarget asked, @Nullable Throwable failure) {
    boolean strange =
        failure != null
            && FlinkRestException.in(failure)
                .filter(e -> !(e instanceof FlinkRestException.Unreachable))
                .isPresent();
    return "The JobManager of "
        + asked.endpoint()
        + (strange ? " does not answer as Flink does" : " does not answer its REST API");
  }

  private void schedule(Duration pause) {
    if (closed) {
      return;
    }
    if (next != null) {
      next.cancel(false);
    }
    next = timer.schedule(this::ask, pause.toNanos(), TimeUnit.NANOSECONDS);
  }
}
