package dev.sluice.activities.status;

import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.RestorePoint;
import org.jspecify.annotations.Nullable;

/** Refuses to call a target stable that another one has replaced since. */
final class ReachedTarget {

  private ReachedTarget() {}

  /**
   * @param jobId the job that runs; null when the target is suspended
   * @param inPlace it was not started for the target: nothing is recorded before the first call
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated}
   */
  static void check(
      StoredResource resource, OperationReport report, @Nullable String jobId, boolean inPlace) {
    Long frozen = resource.frozen().map(it -> it.target().generation()).orElse(null);
    if (frozen == null || frozen != report.targetGeneration()) {
      throw Outdated.failure(
          "generation %d of %s runs, but generation %s is frozen"
              .formatted(report.targetGeneration(), report.resource().display(), frozen));
    }
    if (jobId == null) {
      boolean suspended = resource.frozen().filter(it -> it.target().suspended()).isPresent();
      if (!suspended) {
        throw Outdated.failure("the frozen spec is not suspended");
      }
      return;
    }
    RestorePoint recorded = resource.status().restorePoint();
    boolean inTime = inPlace && (resource.observed().isBegun() || isToldBy(resource, report));
    boolean started = recorded == null ? inTime : recorded.starts(jobId);
    if (!started) {
      throw Outdated.failure("job %s runs, recorded is %s".formatted(jobId, recorded));
    }
  }

  /** The answer of the first call was lost. */
  private static boolean isToldBy(StoredResource resource, OperationReport report) {
    OperationStatus told = resource.status().operation();
    return told != null
        && told.state() == report.state()
        && OperationChange.isOf(told, report.run());
  }
}
