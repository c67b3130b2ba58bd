package dev.sluice.workflows.walk;

import dev.sluice.workflows.deployment.Operations;
import dev.sluice.workflows.simulation.ActivityWorker;
import dev.sluice.workflows.simulation.WorkflowWorker;

/** The worker that all cases share. */
final class SimulatedWorker implements AutoCloseable {

  /** That of all stories. */
  static final SimulatedWorker OF_STORIES = new SimulatedWorker();

  private final WorkflowWorker workflows = new WorkflowWorker(Operations.class);
  private final LaneActivities lanes = new LaneActivities();
  private final ActivityWorker activities =
      new ActivityWorker(lanes.implementation(), LaneActivities.TYPES);

  WorkflowWorker workflows() {
    return workflows;
  }

  ActivityWorker activities() {
    return activities;
  }

  void add(Lane lane) {
    lanes.add(lane);
  }

  void remove(Lane lane) {
    lanes.remove(lane);
  }

  @Override
  public void close() {
    workflows.close();
  }
}
