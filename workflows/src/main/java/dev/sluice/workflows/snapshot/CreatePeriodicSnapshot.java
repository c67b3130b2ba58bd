package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.SnapshotType;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * What a schedule starts each time: makes the FlinkStateSnapshot of that time and ends. That one
 * has a run of its own. It is not on a lane.
 */
@WorkflowInterface
public interface CreatePeriodicSnapshot {

  /** The workflow type. */
  String TYPE = "CreatePeriodicSnapshot";

  /**
   * Makes it, unless there is no job to take it of now.
   *
   * @return in words: what was made, or why not
   */
  @WorkflowMethod(name = TYPE)
  String run(Input input);

  /**
   * @param resource that runs the job
   * @param type what to take
   */
  record Input(ResourceRef resource, SnapshotType type) {}
}
