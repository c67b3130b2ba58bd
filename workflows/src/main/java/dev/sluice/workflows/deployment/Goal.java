package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.OperationInput;

/**
 * What a run is to reach. At first that is what it was started for; whatever is asked of it
 * replaces that at the next safe point.
 */
sealed interface Goal {

  /**
   * The newest spec.
   *
   * @param inPlace by another parallelism of the job that runs, where that can be done
   */
  record Newest(boolean inPlace) implements Goal {}

  /** The spec that is deployed, whose job is lost. */
  record Deployed() implements Goal {}

  /**
   * The operation that is begun is given up: the old job stays, or the last stable spec comes back.
   *
   * @param why in words
   * @param from what was to be reached
   */
  record GiveUp(String why, Goal from) implements Goal {}

  /** The end of a rollback that was begun. */
  record Restore() implements Goal {}

  /** The spec that the rollback request names. */
  record Revision() implements Goal {}

  /** What the job has left is noted, and no JobManager runs it again. */
  record Finish() implements Goal {}

  /** Nothing is left of the resource. */
  record Delete() implements Goal {}

  /** What a run of that type is started for. */
  static Goal of(String type, OperationInput input) {
    return switch (OperationType.of(type).orElseThrow()) {
      case RESCALE -> new Newest(true);
      case RECOVER -> new Deployed();
      case ROLLBACK -> input.retry() ? new Revision() : new Restore();
      case FINISH -> new Finish();
      case DELETE -> new Delete();
      default -> new Newest(false);
    };
  }
}
