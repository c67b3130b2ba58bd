package dev.sluice.controller.status;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of {@code status.jobStatus} that are the controller's. */
public final class ShownJob {

  private ShownJob() {}

  /** Those of a status; null when it has no job. */
  public static @Nullable JobStatus owned(JobResourceStatus status) {
    return status.jobStatus() == null ? null : ours(status.jobStatus());
  }

  /** Without those that are the workflow's. */
  public static JobStatus ours(JobStatus status) {
    return JobStatus.EMPTY
        .withJobName(status.jobName())
        .withJobId(status.jobId())
        .withState(status.state())
        .withStartTime(status.startTime())
        .withUpdateTime(status.updateTime());
  }

  /** A job that Flink reported. */
  public static JobStatus of(Job job, @Nullable JobStatus last) {
    JobStatus now =
        JobStatus.EMPTY
            .withJobName(job.name())
            .withJobId(job.id())
            .withState(job.state())
            .withStartTime(Long.toString(job.times().started().toEpochMilli()));
    boolean same = last != null && now.equals(last.withUpdateTime(null));
    return now.withUpdateTime(
        same && last != null
            ? last.updateTime()
            : Long.toString(job.times().modified().toEpochMilli()));
  }

  /** A job of which nothing is known now; null where none was ever started or is being started. */
  public static @Nullable JobStatus unknown(SeenResource seen, @Nullable JobStatus last) {
    if (last == null && !seen.phase().inFlight()) {
      return null;
    }
    return Objects.requireNonNullElse(last, JobStatus.EMPTY).withState(FlinkJobState.RECONCILING);
  }
}
