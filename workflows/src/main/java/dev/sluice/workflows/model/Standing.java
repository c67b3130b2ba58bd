package dev.sluice.workflows.model;

import dev.sluice.workflows.model.Observation.Phase;
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
 */
public record Standing(Phase phase, @Nullable Long frozen, @Nullable String startedJob) {

  /** After the freeze of that generation. */
  public Standing upgradingTo(long generation, boolean keepRecorded) {
    return new Standing(Phase.UPGRADING, generation, keepRecorded ? startedJob : null);
  }

  /** After that job was recorded. */
  public Standing starting(String jobId) {
    return new Standing(phase, frozen, jobId);
  }
}
