package dev.sluice.controller.observation;

import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the job of an application cluster in what Flink answers. Pure. */
final class JobOverviewReader {

  private JobOverviewReader() {}

  /** The job of the cluster; none of a session cluster. */
  static Optional<JobOverview> job(JobsOverview overview, PollTarget asked) {
    return asked.session() ? Optional.empty() : job(overview, asked.jobId());
  }

  /** The expected job, else the newest that lives, else the newest. */
  static Optional<JobOverview> job(JobsOverview overview, @Nullable String expected) {
    Comparator<JobOverview> newest = Comparator.comparing(job -> job.times().start());
    return Optional.ofNullable(expected)
        .flatMap(overview::job)
        .or(() -> overview.alive().stream().max(newest))
        .or(() -> overview.jobs().stream().max(newest));
  }

  /** Under the keys of Apache's {@code status.clusterInfo}. */
  static Map<String, String> clusterInfo(ClusterOverview overview) {
    return Map.of(
        "flink-version", overview.flinkVersion(), "flink-revision", overview.flinkCommit());
  }
}
