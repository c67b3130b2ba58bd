package dev.sluice.workflows.procedure;

import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishActivities.PublishRequest;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Beside;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import org.jspecify.annotations.Nullable;

/** Records a state and the job that is started from it: from then on the old cluster may go. */
final class StateRecording {

  private final OperationContext context;
  private final StepRunner steps;
  private final Step next;

  StateRecording(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.next = JobPlace.of(context, steps).endStep();
  }

  /**
   * Returns when it is recorded.
   *
   * @param usedRestoreFrom the annotation value that decided; null when none did
   * @param plannedFor how the status stood when this was decided
   * @param plan what is being done and why; null when nothing was decided since the target was
   *     frozen
   * @param taken the savepoint that the job was stopped with; null when none was taken
   */
  void record(
      RestorePoint recorded,
      @Nullable String usedRestoreFrom,
      Standing plannedFor,
      @Nullable String plan,
      @Nullable Savepoint taken) {
    StateRef state = recorded.state();
    steps.run(
        Step.RECORD_STATE,
        "Record " + state.display(),
        ResourceActivities.class,
        a -> {
          a.recordState(
              new RecordStateRequest(
                  context.resource(),
                  recorded,
                  next.title(),
                  "Recorded " + state.display(),
                  context.in(StepLimits.GONE),
                  usedRestoreFrom,
                  plannedFor,
                  plan));
          return true;
        });
    if (taken != null) {
      Beside.begin(
          "Publish " + state.display(),
          PublishActivities.class,
          a -> a.publish(new PublishRequest(context.resource(), taken)));
    }
    context.recorded(recorded);
    context.signals().holdAbort(false);
    context.done("Recorded " + state.display());
  }
}
