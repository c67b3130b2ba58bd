package dev.sluice.workflows.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as a person reads it, in the {@code progress} query and in the current details of the UI.
 *
 * @param operation the workflow type, e.g. {@code Upgrade}
 * @param resource {@code namespace/name}
 * @param fromGeneration the generation that ran before; null when none did
 * @param targetGeneration the generation to reach
 * @param done what is done, in order, each with its result
 * @param step the step in flight; null at the very start and the very end
 * @param deadline when the step in flight is given up, RFC 3339; null when it is short, or parked
 * @param waiting why the run is parked; null when it is not
 * @param savepoint the state that was taken or is restored from; null when there is none (yet)
 * @param requests what has been asked of this run and is not yet carried out
 */
public record OperationProgress(
    String operation,
    String resource,
    @Nullable Long fromGeneration,
    long targetGeneration,
    List<String> done,
    @Nullable String step,
    @Nullable String deadline,
    @Nullable Waiting waiting,
    @Nullable String savepoint,
    List<String> requests) {

  /** Copies the lists. */
  public OperationProgress {
    done = List.copyOf(done);
    requests = List.copyOf(requests);
  }

  /**
   * Why a run is parked.
   *
   * @param reason a documented constant, see {@link FailureType}
   * @param message what failed, on what, and why
   * @param jobRuns true when the old job runs on untouched meanwhile
   */
  public record Waiting(String reason, String message, boolean jobRuns) {}
}
