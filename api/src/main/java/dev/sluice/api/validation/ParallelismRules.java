package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.InPlaceScaling;

/** Parallelism, also of single vertices, and the number of pods, within what Flink can run. */
final class ParallelismRules implements Rule {
  /** Standby JobManagers beyond a few only cost; this bound is for typing errors. */
  private static final int MOST_JOB_MANAGERS = 100;

  @Override
  public void check(Subject subject, Report report) {
    JobSpec job = subject.spec().job();
    Integer replicas = subject.spec().taskManager().replicas();
    if (job != null) {
      checkParallelism(job.parallelism(), replicas != null, report);
    }
    checkOverrides(subject.configuration(), report);
    checkJobManagers(subject, report);
    if (replicas != null) {
      checkTaskManagers(replicas, ClusterSize.of(subject.spec()), report);
    }
  }

  private static void checkParallelism(int parallelism, boolean replicasGiven, Report report) {
    if (parallelism > ClusterSize.MAX_PARALLELISM) {
      report.add(
          "spec.job.parallelism",
          "must be at most %d, Flink's largest, but is %d"
              .formatted(ClusterSize.MAX_PARALLELISM, parallelism));
    } else if (parallelism < (replicasGiven ? 0 : 1)) {
      report.add(
          "spec.job.parallelism",
          replicasGiven
              ? "must not be negative, but is %d. Remove it".formatted(parallelism)
              : "must be at least 1, but is %d. Set it, or set spec.taskManager.replicas"
                  .formatted(parallelism));
    }
  }

  private static void checkOverrides(FlinkConfiguration configuration, Report report) {
    String path = Subject.keyPath(InPlaceScaling.OVERRIDES);
    try {
      InPlaceScaling.overrides(configuration)
          .forEach(
              (vertex, parallelism) -> {
                if (parallelism < 1 || parallelism > ClusterSize.MAX_PARALLELISM) {
                  report.add(
                      path,
                      "must give each vertex between 1 and %d, but is %d for vertex '%s'"
                          .formatted(ClusterSize.MAX_PARALLELISM, parallelism, vertex));
                }
              });
    } catch (IllegalArgumentException wrong) {
      report.add(
          path,
          "must be the parallelism of each vertex by its id, such as"
              + " bc764cd8ddf7a0cff126f51c16239658:4, with commas between them, but %s"
                  .formatted(wrong.getMessage()));
    }
  }

  private static void checkJobManagers(Subject subject, Report report) {
    int jobManagers = subject.spec().jobManager().replicas();
    String path = "spec.jobManager.replicas";
    if (jobManagers < 1 || jobManagers > MOST_JOB_MANAGERS) {
      report.add(
          path, "must be between 1 and %d, but is %d".formatted(MOST_JOB_MANAGERS, jobManagers));
    } else if (jobManagers > 1
        && HighAvailabilityMode.of(subject.configuration()) == HighAvailabilityMode.NONE) {
      report.add(
          path,
          "must be 1 without high availability, but is "
              + jobManagers
              + ". Set high-availability.type: kubernetes and high-availability.storageDir");
    }
  }

  private static void checkTaskManagers(int replicas, ClusterSize size, Report report) {
    String path = "spec.taskManager.replicas";
    int most = ClusterSize.MAX_PARALLELISM;
    if (replicas < 1 || replicas > most) {
      report.add(path, "must be between 1 and %d, but is %d".formatted(most, replicas));
    } else if (size.parallelism() > most) {
      report.add(
          path,
          "times %s must be at most %d, Flink's largest parallelism, but is %d times %d"
              .formatted(ClusterSize.SLOTS, most, replicas, size.slots()));
    }
  }
}
