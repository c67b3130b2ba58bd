package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the overview does not say of the job of one cluster, asked for only when it matters: its
 * exceptions, see {@link ExceptionWatch}, and, once, whether one with tasks that do not run is a
 * batch job.
 */
final class JobDetails {

  /** Flink itself keeps 16 unless it is told otherwise. */
  private static final int MOST_EXCEPTIONS = 10;

  private final FlinkRest flink;
  private final ExceptionWatch exceptions = new ExceptionWatch();
  private @Nullable JobStart job;
  private @Nullable JobType type;

  JobDetails(FlinkRest flink) {
    this.flink = flink;
  }

  /** The job of an overview, with its details. */
  CompletableFuture<Job> complete(Endpoint cluster, JobOverview overview) {
    return begin(overview)
        ? flink
            .exceptions(cluster, overview.jobId(), MOST_EXCEPTIONS)
            .handle((answer, failed) -> learn(answer))
            .thenCompose(learnt -> withType(cluster, overview))
        : withType(cluster, overview);
  }

  private CompletableFuture<Job> withType(Endpoint cluster, JobOverview overview) {
    if (overview.isUp() || !overview.isUpAsBatch()) {
      return CompletableFuture.completedFuture(job(overview, overview.isUp()));
    }
    return type(cluster, overview).thenApply(known -> job(overview, known == JobType.BATCH));
  }

  private CompletableFuture<@Nullable JobType> type(Endpoint cluster, JobOverview overview) {
    JobType known = knownType();
    return known != null
        ? CompletableFuture.completedFuture(known)
        : flink.jobType(cluster, overview.jobId()).handle((answer, failed) -> learnType(answer));
  }

  /** Returns whether to ask for exceptions. */
  private synchronized boolean begin(JobOverview overview) {
    JobStart now = new JobStart(overview.jobId(), overview.times().start());
    if (!now.equals(job)) {
      job = now;
      type = null;
      exceptions.forget();
    }
    return exceptions.isDue(overview);
  }

  private synchronized boolean learn(@Nullable JobExceptions answer) {
    exceptions.learn(answer);
    return answer != null;
  }

  private synchronized Job job(JobOverview overview, boolean tasksUp) {
    return new Job(
        overview.jobId(),
        overview.name(),
        overview.state(),
        tasksUp,
        new Times(overview.times().start(), overview.times().lastModification()),
        tasksUp ? Optional.empty() : exceptions.cause(),
        exceptions.failures());
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
