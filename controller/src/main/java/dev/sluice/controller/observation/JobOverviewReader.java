package dev.sluice.controller.observation;

import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobState;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.workflows.model.JobObservation.Tasks;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the job of an application cluster in what Flink answers. Pure. */
final class JobOverviewReader {

  private JobOverviewReader() {}

  /** The expected job, else the newest that lives, else the newest. */
  static Optional<Job> job(JobsOverview overview, @Nullable String expected) {
    Comparator<JobOverview> newest = Comparator.comparing(JobOverview::startTime);
    return Optional.ofNullable(expected)
        .flatMap(overview::job)
        .or(() -> overview.alive().stream().max(newest))
        .or(() -> overview.jobs().stream().max(newest))
        .map(JobOverviewReader::job);
  }

  private static Job job(JobOverview job) {
    JobOverview.Tasks counts = job.tasks();
    Tasks tasks = new Tasks(counts.running(), counts.finished(), counts.total());
    return new Job(
        job.jobId(),
        job.name(),
        state(job.state()),
        tasks.allUp(),
        new Times(job.startTime(), job.lastModification()),
        Optional.empty());
  }

  private static FlinkJobState state(JobState state) {
    return state == JobState.UNKNOWN
        ? FlinkJobState.RECONCILING
        : FlinkJobState.valueOf(state.name());
  }

  /** The root cause in one line, and the task that it came from. */
  static Optional<String> cause(JobExceptions exceptions) {
    return exceptions
        .latest()
        .map(
            latest ->
                latest.cause().summary()
                    + latest.taskName().map(task -> " (in task " + task + ")").orElse(""));
  }

  /** Under the keys of Apache's {@code status.clusterInfo}. */
  static Map<String, String> clusterInfo(ClusterOverview overview) {
    return Map.of(
        "flink-version", overview.flinkVersion(), "flink-revision", overview.flinkCommit());
  }
}
