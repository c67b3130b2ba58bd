package dev.sluice.workflows.walk;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.deployment.DeleteWorkflow;
import dev.sluice.workflows.deployment.DeployWorkflow;
import dev.sluice.workflows.deployment.FinishWorkflow;
import dev.sluice.workflows.deployment.RollbackWorkflow;
import dev.sluice.workflows.deployment.UpgradeWorkflow;
import dev.sluice.workflows.simulation.ActivityWorker;
import dev.sluice.workflows.simulation.WorkflowWorker;

/** The worker that all cases share. */
final class SimulatedWorker implements AutoCloseable {

  private final WorkflowWorker workflows =
      new WorkflowWorker(
          DeployWorkflow.class,
          UpgradeWorkflow.class,
          RollbackWorkflow.class,
          DeleteWorkflow.class,
          FinishWorkflow.class);
  private final LaneActivities lanes = new LaneActivities();
  private final ActivityWorker activities =
      new ActivityWorker(
          lanes, ResourceActivities.class, JobActivities.class, ClusterActivities.class);

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
