package dev.sluice.controller.schedule;

import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.workflows.model.ResourceRef;

/**
 * The calls of a controller to Temporal about schedules. Each blocks, for a bounded time, and
 * throws {@link dev.sluice.controller.operation.TemporalFailure} when Temporal does not answer or
 * refuses it.
 */
public interface ScheduleCalls {

  /**
   * A workflow that is started again and again.
   *
   * @param id of its schedule, and the beginning of the ids of its runs
   * @param resource that it is for
   * @param workflowType what is started
   * @param input what it is started with; serializable as JSON
   * @param summary one line for Temporal's UI
   * @param interval when
   */
  record Recurrence(
      String id,
      ResourceRef resource,
      String workflowType,
      Object input,
      String summary,
      SnapshotInterval interval) {}

  /**
   * Makes the schedule, or changes it, unless it is so already. One that is paused stays paused.
   */
  void keep(Recurrence wanted);

  /** Deletes the schedule, if there is one. */
  void end(String id);
}
