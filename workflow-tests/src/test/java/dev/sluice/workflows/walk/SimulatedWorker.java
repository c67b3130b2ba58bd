package dev.sluice.workflows.walk;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.SessionJobActivities;
import dev.sluice.workflows.deployment.Operations;
import dev.sluice.workflows.simulation.ActivityWorker;
import dev.sluice.workflows.simulation.WorkflowWorker;

/** The worker that all cases share. */
final class SimulatedWorker implements AutoCloseable {

  private final WorkflowWorker workflows =
      new WorkflowWorker(Operations.all().toArray(new Class<?>[0]));
  private final LaneActivities lanes = new LaneActivities();
  private final ActivityWorker activities =
      new ActivityWorker(
          lanes,
          ResourceActivities.class,
          JobActivities.class,
          ClusterActivities.class,
          RescaleActivities.class,
          PublishActivities.class,
          SessionJobActivities.class);

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
