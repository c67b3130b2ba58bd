package dev.sluice.workflows.operation;

import dev.sluice.api.common.WithMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is shown, in the {@code progress} query and in the current details of the UI.
 *
 * @param operation the workflow type, e.g. {@code Upgrade}
 * @param resource {@code namespace/name}
 * @param generations the generation that ran before, and the one to reach
 * @param done what is done, in order, each with its result
 * @param step the step in flight; null at the very start and the very end
 * @param deadline when the step in flight is given up, RFC 3339; null when it is short, or held
 * @param held why the run does not go on; null when it does
 * @param failed why the run was held last, while it tries again; null when nothing failed since the
 *     last step that is done
 * @param state the state that was taken or is restored from, as text; null when there is none yet
 * @param requests what has been asked of this run and is not yet carried out
 */
@WithMethods
public record OperationProgress(
    String operation,
    String resource,
    Generations generations,
    List<String> done,
    @Nullable String step,
    @Nullable String deadline,
    @Nullable Held held,
    @Nullable String failed,
    @Nullable String state,
    List<String> requests)
    implements OperationProgressBuilder.With {

  /** Copies the lists. */
  public OperationProgress {
    done = List.copyOf(done);
    requests = List.copyOf(requests);
  }

  /**
   * @param from the generation that ran before; null when none did
   * @param target the generation to reach
   */
  public record Generations(@Nullable Long from, long target) {}

  /**
   * Why a run does not go on.
   *
   * @param blocked true when it is retried automatically, false when action is required
   * @param reason a documented constant
   * @param message what failed, on what, and why
   * @param job what is known of the job meanwhile
   * @param offersRestoreFrom whether {@code sluice.dev/restore-from} can decide
   * @param offersAbort whether an abort has something to go back to now
   */
  public record Held(
      boolean blocked,
      String reason,
      String message,
      String job,
      boolean offersRestoreFrom,
      boolean offersAbort) {}
}
