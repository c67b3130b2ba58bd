package dev.sluice.workflows.model;

import dev.sluice.api.common.PendingStop;
import dev.sluice.workflows.model.Observation.Phase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far the operations on a resource have come, as its status says. What is written into the
 * status names the standing that it was planned for: a run that was reset, or an answer that comes
 * late, must not turn the status back.
 *
 * @param phase whether an operation was begun and not finished
 * @param frozen generation of the frozen spec; null when there is none
 * @param startedJob the job that is recorded to be started by the operation in {@code phase}; null
 *     when none is
 * @param pendingStop a stop of the job whose outcome is not recorded; null when there is none
 */
public record Standing(
    Phase phase,
    @Nullable Long frozen,
    @Nullable String startedJob,
    @Nullable PendingStop pendingStop) {

  /** No stop is pending. */
  public Standing(Phase phase, @Nullable Long frozen, @Nullable String startedJob) {
    this(phase, frozen, startedJob, null);
  }

  /** After the freeze of that generation. A rollback to it that was begun before goes on. */
  public Standing freezing(long generation, boolean keepRecorded, @Nullable PendingStop stop) {
    boolean goesBack = phase == Phase.ROLLING_BACK && Objects.equals(frozen, generation);
    return new Standing(
        goesBack ? phase : Phase.UPGRADING, generation, keepRecorded ? startedJob : null, stop);
  }

  /** After that job was recorded. */
  public Standing starting(String jobId) {
    return new Standing(phase, frozen, jobId, null);
  }

  /** After a stop was begun, or has failed while the job runs on: null. */
  public Standing stopping(@Nullable PendingStop stop) {
    return new Standing(phase, frozen, startedJob, stop);
  }
}
