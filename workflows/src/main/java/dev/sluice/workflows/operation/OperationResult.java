package dev.sluice.workflows.operation;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.api.common.OperationType;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param result one word, see the constants
 * @param generation the generation that runs now; 0 when none does
 * @param message one line
 * @param savepoint the state of the job that is left; null when there is none, or the job runs
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OperationResult(
    String result, long generation, String message, @Nullable String savepoint) {

  /** The target generation runs, with every task and from the state it was to be restored from. */
  public static final String DEPLOYED = "Deployed";

  /** As {@link #DEPLOYED}, from an earlier generation. */
  public static final String UPGRADED = "Upgraded";

  /** The same job runs with the parallelism of the target generation. */
  public static final String RESCALED = "Rescaled";

  /** No job runs any more; what it left is recorded. */
  public static final String SUSPENDED = "Suspended";

  /** As {@link #DEPLOYED}, from what a suspended job left. */
  public static final String RESUMED = "Resumed";

  /**
   * As {@link #DEPLOYED}, of the generation that was deployed before, from the job's newest state.
   */
  public static final String RECOVERED = "Recovered";

  /** Nothing had to be done. */
  public static final String UP_TO_DATE = "UpToDate";

  /** Given up before the old job was touched. */
  public static final String ABORTED = "Aborted";

  /** Given up after the old job had stopped; the last stable spec runs again from its state. */
  public static final String ROLLED_BACK = "RolledBack";

  /** The job has finished, and nothing can run it again. */
  public static final String FINISHED = "Finished";

  /** All that the resource made is gone. */
  public static final String DELETED = "Deleted";

  /** A newer generation came, and it is not valid: nothing was changed. */
  public static final String SUPERSEDED = "Superseded";

  /** The resource does not exist any more. */
  public static final String GONE = "Gone";

  /** The resource vanished; nothing was deleted. */
  public static OperationResult gone() {
    return new OperationResult(GONE, 0, "The resource does not exist any more.");
  }

  /** The run was cancelled in Temporal and can only close; the controller starts what follows. */
  public static OperationResult cancelled(OperationType next) {
    return new OperationResult(
        ABORTED, 0, "Cancelled in Temporal; the controller starts " + next.wire() + ".");
  }

  /** An end that leaves no state behind. */
  public OperationResult(String result, long generation, String message) {
    this(result, generation, message, null);
  }
}
