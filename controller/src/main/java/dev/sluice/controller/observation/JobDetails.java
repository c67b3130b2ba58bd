package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the overview does not say of the job of one cluster, asked for only when it matters, and
 * then once: why it is FAILED, and whether one with tasks that do not run is a batch job.
 *
 * <p>Flink answers for exceptions from a cache of some seconds, so it is asked with each poll until
 * the cause is known, at most five times for each failure.
 */
final class JobDetails {

  static final String CAUSE_UNKNOWN = "Flink does not say why";

  /** With a poll each second, longer than {@code web.refresh-interval} (3 s). */
  private static final int MOST_TRIES = 5;

  private final FlinkRest flink;
  private @Nullable JobStart job;
  private @Nullable JobType type;
  private @Nullable String cause;
  private int tries;

  JobDetails(FlinkRest flink) {
    this.flink = flink;
  }

  /** The job of an overview, with its details. */
  CompletableFuture<Job> complete(Endpoint cluster, JobOverview overview) {
    begin(new JobStart(overview.jobId(), overview.times().start()));
    if (overview.state() == FlinkJobState.FAILED) {
      return cause(cluster, overview).thenApply(known -> job(overview, false, known));
    }
    if (overview.isUp() || !overview.isUpAsBatch()) {
      return CompletableFuture.completedFuture(job(overview, overview.isUp(), Optional.empty()));
    }
    return type(cluster, overview)
        .thenApply(known -> job(overview, known == JobType.BATCH, Optional.empty()));
  }

  private static Job job(JobOverview overview, boolean tasksUp, Optional<String> cause) {
    return new Job(
        overview.jobId(),
        overview.name(),
        overview.state(),
        tasksUp,
        new Times(overview.times().start(), overview.times().lastModification()),
        cause);
  }

  private CompletableFuture<Optional<String>> cause(Endpoint cluster, JobOverview overview) {
    String known = knownCause();
    return known != null
        ? CompletableFuture.completedFuture(Optional.of(known))
        : flink
            .exceptions(cluster, overview.jobId())
            .handle((exceptions, failed) -> Optional.ofNullable(learnCause(exceptions)));
  }

  private CompletableFuture<@Nullable JobType> type(Endpoint cluster, JobOverview overview) {
    JobType known = knownType();
    return known != null
        ? CompletableFuture.completedFuture(known)
        : flink.jobType(cluster, overview.jobId()).handle((answer, failed) -> learnType(answer));
  }

  private synchronized void begin(JobStart now) {
    if (!now.equals(job)) {
      job = now;
      type = null;
      cause = null;
      tries = 0;
    }
  }

  private synchronized @Nullable String knownCause() {
    return cause;
  }

  private synchronized @Nullable String learnCause(@Nullable JobExceptions exceptions) {
    tries++;
    if (exceptions != null) {
      cause = exceptions.latest().map(JobDetails::line).orElse(null);
    }
    if (cause == null && tries >= MOST_TRIES) {
      cause = CAUSE_UNKNOWN;
    }
    return cause;
  }

  private static String line(JobExceptions.Latest latest) {
    return latest.cause().summary()
        + latest.taskName().map(task -> " (in task " + task + ")").orElse("");
  }

  private synchronized @Nullable JobType knownType() {
    return type;
  }

  private synchronized @Nullable JobType learnType(@Nullable JobType answer) {
    type = answer;
    return answer;
  }

  private record JobStart(String jobId, Instant started) {}
}
