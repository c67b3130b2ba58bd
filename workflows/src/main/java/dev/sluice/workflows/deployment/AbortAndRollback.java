package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.UpgradePlanner;
import org.jspecify.annotations.Nullable;

/** How an operation is given up, and how a spec that was stable before becomes the target again. */
final class AbortAndRollback {

  private final LaneRun run;
  private final OperationContext context;
  private final StepRunner steps;
  private final Runbook runbook;
  private final JobPlace place;

  AbortAndRollback(LaneRun run, Runbook runbook) {
    this.run = run;
    this.context = run.context;
    this.steps = run.steps;
    this.runbook = runbook;
    this.place = runbook.place();
  }

  /** The old job was not touched: only the status goes back. */
  OperationResult abortUntouched(Observation seen, Goal.GiveUp goal) {
    String message =
        goal.from() instanceof Goal.Deployed
            ? "Aborted; the job is not brought back: " + goal.why()
            : "Aborted; the running job was not stopped: " + goal.why();
    keepOldJob(seen, OperationState.ABORTED, message);
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }

  /** Nothing was changed that would have to be taken back. */
  OperationResult aborted(String message) {
    steps.report(context.aborted(Step.REPORT, message));
    context.done(message);
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }

  /**
   * Writes that the last stable spec is the deployed one, because its job was never touched.
   *
   * @param state of the operation
   */
  void keepOldJob(Observation seen, OperationState state, String message) {
    boolean aborted = state == OperationState.ABORTED;
    FreezeResult unused =
        freezeStable(
            Step.REPORT,
            "Keep the old spec",
            new FreezeStableRequest(
                context.report(
                    state,
                    Step.REPORT,
                    aborted ? Reasons.ABORTED : null,
                    message,
                    aborted ? EventReasons.OPERATION_ABORTED : null),
                null,
                seen.standing()));
    context.done(message);
  }

  /**
   * A first deployment has nothing to go back to. Null where jobs would be lost with it: it is
   * looked at again.
   */
  @Nullable OperationResult takeDown(Observation seen, String reason) {
    Plan.Teardown teardown =
        seen.isSession() ? withoutJobs(seen) : Plan.Teardown.of(seen.cluster());
    if (teardown == null) {
      return null;
    }
    RestorePoint recorded = seen.recorded();
    if (recorded != null) {
      // what the next deployment starts from: the job that was begun is given up
      runbook.record(
          RestorePoint.of(recorded.state(), seen.cluster().jobId(), runbook.nextJobId(seen))
              .initial(recorded.state(), recorded.initial()),
          null,
          seen.standing(),
          null,
          null);
    }
    boolean metadata = seen.cluster().highAvailability() == HighAvailability.CHECKPOINT;
    runbook.tearDown(
        seen,
        teardown,
        recorded != null && recorded.isSameJob() && metadata
            ? recorded.state()
            : new StateRef.Empty("given up"),
        false);
    return aborted("Aborted the first deployment; %s: %s".formatted(place.givenUp(), reason));
  }

  /** Of a session cluster that goes: held while jobs would be lost with it. */
  private Plan.@Nullable Teardown withoutJobs(Observation seen) {
    Decision decision = UpgradePlanner.takeDown(seen, run.retry());
    if (decision instanceof Hold hold) {
      run.hold(Step.AWAIT_NO_JOBS, new StepFailure(hold.reason(), hold.why(), true), true);
      return null;
    }
    return ((Proceed) decision).plan().teardown();
  }

  /**
   * Makes the last stable spec the target, from what its job left.
   *
   * @param recorded by the operation that is given up
   */
  void begin(Observation seen, RestorePoint recorded, String why) {
    StateRef state = recorded.leftByStable();
    RestorePoint back =
        RestorePoint.of(state, seen.cluster().jobId(), runbook.nextJobId(seen, true));
    context.becomes(OperationType.ROLLBACK);
    OperationReport report =
        context.report(
            OperationState.RUNNING,
            place.endStep(),
            null,
            "Rolling back to the last stable spec, from %s: %s".formatted(state.display(), why),
            EventReasons.ROLLBACK);
    FreezeResult result =
        freezeStable(
            Step.FREEZE_TARGET,
            "Freeze the last stable spec, to start it from " + state.display(),
            new FreezeStableRequest(
                report.withDeadlineMs(context.in(StepLimits.GONE)), back, seen.standing()));
    context.state(state);
    learn(seen, result);
    // whether there is metadata to go on from is decided by a look at it, and so is what becomes of
    // the jobs on a session cluster
    if (result instanceof Frozen frozen && !back.isSameJob() && !frozen.target().session()) {
      runbook.tearDown(seen, Plan.Teardown.of(seen.cluster()), state, false);
    }
  }

  private FreezeResult freezeStable(Step step, String summary, FreezeStableRequest request) {
    return steps.run(step, summary, ResourceActivities.class, a -> a.freezeStable(request));
  }

  /** Makes the spec that the rollback request names the target: nothing is changed before. */
  FreezeResult revision(Observation seen) {
    FreezeResult result =
        steps.run(
            Step.FREEZE_TARGET,
            "Freeze the spec that the user goes back to",
            ResourceActivities.class,
            a ->
                a.freezeRevision(
                    new FreezeRevisionRequest(
                        context.report(
                            OperationState.RUNNING,
                            Step.CANCEL_JOB,
                            null,
                            "Rolling back",
                            EventReasons.ROLLBACK),
                        seen.cluster().jobId(),
                        runbook.nextJobId(seen, true),
                        seen.standing())));
    learn(seen, result);
    return result;
  }

  private void learn(Observation seen, FreezeResult result) {
    if (result instanceof Frozen frozen) {
      run.frozen(frozen);
      context.generations(seen.newest().target().generation(), frozen.target().generation());
      context.done(
          "Generation %d frozen (%s)".formatted(frozen.target().generation(), frozen.summary()));
    }
  }

  /**
   * Whether a rollback is begun that no newer spec has superseded.
   *
   * @param asked the newest generation that was asked for while the run went back; 0 for none
   * @param refused the newest generation that the run was asked to give up; 0 for none
   */
  static boolean isBegun(Observation seen, long asked, long refused) {
    Observation.Newest newest = seen.newest();
    long generation = newest.target().generation();
    Long givenUp = seen.givenUp();
    boolean newer = generation == asked || (givenUp != null && generation > givenUp);
    boolean superseded =
        newer && generation > refused && newest.problem() == null && !newest.sameAsFrozen();
    return seen.phase() == Phase.ROLLING_BACK && !superseded;
  }
}
