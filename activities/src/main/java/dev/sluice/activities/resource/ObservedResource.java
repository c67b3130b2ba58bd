package dev.sluice.activities.resource;

import dev.sluice.api.common.PendingStop;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import org.jspecify.annotations.Nullable;

/**
 * What a resource alone tells: the part of an {@link Observation} that needs neither its cluster
 * nor its job.
 *
 * @param deleting as in {@link Observation}
 * @param newest as in {@link Observation}
 * @param frozen as in {@link Observation}
 * @param stableGeneration as in {@link Observation}
 * @param phase as in {@link Observation}
 * @param begunAtMs as in {@link Observation}
 * @param recorded as in {@link Observation}
 * @param pendingStop as in {@link Observation}
 * @param deletionSavepointMs as in {@link Observation}
 * @param lastJobId the job that was seen last; null when none ever was
 * @param unstarted what in the status proves that no job was ever started, provided that no trace
 *     of a cluster exists; null when nothing does
 */
public record ObservedResource(
    boolean deleting,
    Observation.Newest newest,
    Observation.@Nullable Target frozen,
    @Nullable Long stableGeneration,
    Observation.Phase phase,
    long begunAtMs,
    @Nullable RestorePoint recorded,
    @Nullable PendingStop pendingStop,
    long deletionSavepointMs,
    @Nullable String lastJobId,
    @Nullable String unstarted) {

  /** An operation was begun and not finished. */
  public boolean isBegun() {
    return phase != Observation.Phase.IDLE;
  }

  /** How far the operations have come. */
  public Standing standing() {
    return new Standing(
        phase,
        frozen == null ? null : frozen.generation(),
        recorded == null ? null : recorded.startedJob(),
        pendingStop);
  }
}
