package dev.sluice.activities.job;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job is a batch job: Flink is asked until it has answered once, and only if it matters.
 */
final class KnownType {

  private @Nullable JobType type;

  /** Every task is up; of a batch job, whose stages follow each other, some are and none fails. */
  boolean isUp(JobOverview job, Endpoint cluster, FlinkRest flink) {
    return job.isUp() || (job.isUpAsBatch() && isBatch(job, cluster, flink));
  }

  /** False as long as Flink does not answer. */
  boolean isBatch(JobOverview job, Endpoint cluster, FlinkRest flink) {
    if (type == null) {
      type = FlinkRest.orNull(() -> flink.jobType(cluster, job.jobId()));
    }
    return type == JobType.BATCH;
  }
}
