package dev.sluice.activities.cluster;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.temporal.failure.ApplicationFailure;

/**
 * The start of a job, as it was planned.
 *
 * @param resource whose job
 * @param jobId the id that was recorded before
 * @param generation that is to be frozen
 * @param restoreFrom what the job starts from
 */
public record PlannedStart(
    ResourceRef resource, String jobId, long generation, StateRef restoreFrom) {

  /**
   * Checks that it is still the one that the status says, right before its first effect. Pure.
   *
   * @param read the resource as it is now
   * @return the frozen target
   * @throws ApplicationFailure {@code Outdated} when it is not
   */
  public TargetSpec check(StoredResource read) {
    if (read.metadata().getDeletionTimestamp() != null) {
      throw Outdated.failure(resource.display() + " is being deleted");
    }
    if (!read.observed().isBegun()) {
      throw Outdated.failure("no operation of " + resource.display() + " is begun");
    }
    TargetSpec target =
        read.frozen()
            .orElseThrow(() -> Outdated.failure("no spec of " + resource.display() + " is frozen"));
    if (target.target().generation() != generation) {
      throw Outdated.failure(
          "requested is generation %d of %s, but generation %d is frozen"
              .formatted(generation, resource.display(), target.target().generation()));
    }
    String started = read.status().startedJob();
    if (started != null && !started.equals(jobId)) {
      throw Outdated.failure(
          "requested is job %s of %s, but job %s is recorded"
              .formatted(jobId, resource.display(), started));
    }
    RestorePoint recorded = read.observed().recorded();
    boolean sameJob = restoreFrom instanceof StateRef.HaMetadata;
    if (recorded != null && recorded.isSameJob() != sameJob) {
      throw Outdated.failure(
          "requested is a start from %s, but %s is recorded"
              .formatted(restoreFrom.display(), recorded.state().display()));
    }
    return target;
  }

  /** The failure for a start of a job that an operation has ended permanently. */
  public static ApplicationFailure ended(ResourceRef resource, String jobId) {
    return Outdated.failure("job %s of %s was ended".formatted(jobId, resource.display()));
  }
}
