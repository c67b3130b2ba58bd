package dev.sluice.workflows.upgrade;

import dev.sluice.workflows.job.CancelRequest;
import dev.sluice.workflows.job.JobActivities;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.job.StopRequest;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.Steps;
import dev.sluice.workflows.resource.FrozenTarget;
import dev.sluice.workflows.upgrade.UpgradePlan.Discard;
import dev.sluice.workflows.upgrade.UpgradePlan.KeepCheckpoint;
import dev.sluice.workflows.upgrade.UpgradePlan.StartFrom;
import dev.sluice.workflows.upgrade.UpgradePlan.TakeSavepoint;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** Ends the old job the way the plan says and tells where its state is. */
final class JobSuspension {

  private final OperationContext run;
  private final Steps steps;
  private int stops;
  private @Nullable String stopInFlight;

  JobSuspension(OperationContext run, Steps steps) {
    this.run = run;
    this.steps = steps;
  }

  Step step(UpgradePlan plan) {
    if (plan instanceof TakeSavepoint) {
      return Step.STOP_WITH_SAVEPOINT;
    }
    boolean cancels =
        plan instanceof KeepCheckpoint
            || (plan instanceof Discard discard && discard.jobId() != null);
    return cancels ? Step.CANCEL_JOB : Step.RECORD_STATE;
  }

  /** Trigger id of a savepoint whose end this run has not seen; null when there is none. */
  @Nullable String stopInFlight() {
    return stopInFlight;
  }

  /**
   * @return null when the job ended and left no state: plan again
   * @throws ActivityFailure when the state cannot be taken; the job is as it was, or its end is
   *     unknown
   */
  @Nullable StateTaken carryOut(UpgradePlan plan, FrozenTarget target) {
    if (plan instanceof TakeSavepoint take) {
      return stopWithSavepoint(take.jobId(), target);
    }
    if (plan instanceof KeepCheckpoint keep) {
      return keepCheckpoint(keep);
    }
    if (plan instanceof Discard discard) {
      return discard(discard);
    }
    if (plan instanceof StartFrom start) {
      return new StateTaken(start.path(), start.why());
    }
    throw new IllegalStateException("this plan touches no job: " + plan);
  }

  private StateTaken stopWithSavepoint(String jobId, FrozenTarget target) {
    String triggerId = Ids.derive(Workflow.getInfo().getRunId(), "stop", ++stops);
    long deadline = run.in(StepLimits.savepoint(target.savepointTimeoutMs()));
    stopInFlight = triggerId;
    StateTaken taken =
        steps.committed(
            Step.STOP_WITH_SAVEPOINT,
            "stop job " + jobId + " with a savepoint",
            deadline,
            JobActivities.class,
            a -> a.stopWithSavepoint(new StopRequest(run.resource(), jobId, triggerId, deadline)));
    stopInFlight = null;
    steps.done("job stopped, %s: %s".formatted(taken.how(), taken.path()));
    return taken;
  }

  private @Nullable StateTaken keepCheckpoint(KeepCheckpoint keep) {
    StateTaken taken = cancel(keep.jobId(), true, "cancel job %s, keep its newest checkpoint");
    if (taken.path() == null) {
      steps.done("job cancelled, it had no checkpoint");
      return null;
    }
    steps.done("job cancelled, %s: %s".formatted(taken.how(), taken.path()));
    return taken;
  }

  private StateTaken discard(Discard discard) {
    if (discard.jobId() != null) {
      cancel(discard.jobId(), false, "cancel job %s (stateless)");
      steps.done("job cancelled");
    }
    return new StateTaken(discard.startFrom(), discard.why());
  }

  private StateTaken cancel(String jobId, boolean keepState, String summary) {
    long deadline = run.in(StepLimits.CANCEL);
    return steps.committed(
        Step.CANCEL_JOB,
        summary.formatted(jobId),
        deadline,
        JobActivities.class,
        a -> a.cancelJob(new CancelRequest(run.resource(), jobId, keepState, deadline)));
  }
}
