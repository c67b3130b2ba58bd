package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the overview does not say of the job of one cluster, asked for only when it matters: its
 * exceptions, see {@link ExceptionWatch}, and, once, whether one with tasks that do not run is a
 * batch job. Not thread safe.
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
  Job complete(Endpoint cluster, JobOverview overview) {
    JobStart now = new JobStart(overview.jobId(), overview.times().start());
    if (!now.equals(job)) {
      job = now;
      type = null;
      exceptions.forget();
    }
    if (exceptions.isDue(overview)) {
      exceptions.learn(
          FlinkRest.orNull(() -> flink.exceptions(cluster, overview.jobId(), MOST_EXCEPTIONS)));
    }
    boolean tasksUp = overview.isUp() || (overview.isUpAsBatch() && isBatch(cluster, overview));
    return new Job(
        overview.jobId(),
        overview.name(),
        overview.state(),
        tasksUp,
        new Times(overview.times().start(), overview.times().lastModification()),
        tasksUp ? Optional.empty() : exceptions.cause(),
        exceptions.failures());
  }

  private boolean isBatch(Endpoint cluster, JobOverview overview) {
    if (type == null) {
      type = FlinkRest.orNull(() -> flink.jobType(cluster, overview.jobId()));
    }
    return type == JobType.BATCH;
  }

  private record JobStart(String jobId, Instant started) {}
}
