package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.procedure.Assessor.Goal;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Delete: end the job if it can be reached, with a savepoint where the spec asks for
 * one, delete its cluster, if that is its own, wait until nothing is left, say so. Always ends:
 * what cannot be done in time is reported, not waited for. Only what is being deleted in Kubernetes
 * is deleted here.
 */
public final class DeleteProcedure {

  static final Duration GONE = Duration.ofMinutes(2);

  private static final Duration CANCEL = Duration.ofSeconds(20);
  private static final int ATTEMPTS = 3;

  private final OperationContext context;
  private final StepRunner steps;
  private final Assessor assessor;
  private final JobPlace place;
  private @Nullable String endedJob;

  /** Deletes within {@code context}. */
  public DeleteProcedure(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.assessor = new Assessor(context, steps, Goal.NEWEST);
    this.place = JobPlace.of(context, steps);
    context.newerSpecDiffers(() -> false);
  }

  /** Returns when nothing is left, or when what is left is reported. */
  public OperationResult removeEverything() {
    // the signal has brought us here; it must not interrupt what it asked for
    context.signals().deleteTaken();
    Observation seen = assessor.observe(Duration.ZERO);
    if (!seen.deleting()) {
      return notDeleted(seen);
    }
    NoJobsWait jobs =
        seen.isSession() ? new NoJobsWait(context, steps, seen.cluster().ref()) : null;
    if (jobs != null) {
      jobs.await();
    }
    StateRef state = jobs == null ? endJob(seen) : null;
    String left = remove(seen, jobs);
    String kept = state == null || state.pathOrNull() == null ? null : state.display();
    String message =
        place.removed(left) + (kept == null ? "" : "; the state of the job is kept: " + kept);
    steps.report(
        context.report(
            OperationState.SUCCEEDED,
            place.endStep(),
            left == null ? null : FailureType.CLUSTER_NOT_GONE,
            message,
            left == null ? null : FailureType.CLUSTER_NOT_GONE));
    return new OperationResult(
        OperationResult.DELETED, 0, message, state == null ? null : state.pathOrNull());
  }

  /**
   * A signal sent by hand asks for a deletion that Kubernetes knows nothing of. What is desired
   * stands there: the job runs on, and what was in flight is taken up again.
   */
  private OperationResult notDeleted(Observation seen) {
    String why = "Not deleted: 'kubectl delete' deletes the resource, a signal does not.";
    context.done(why);
    OperationInput input = context.input();
    OperationType goesOn =
        seen.phase() == Observation.Phase.ROLLING_BACK ? OperationType.ROLLBACK : seen.operation();
    return context.cancelled()
        ? new OperationResult(OperationResult.ABORTED, 0, why)
        : HandOver.to(
            goesOn,
            input
                .next(seen.newest().target().generation(), why, input.restorePoint())
                .withJobUntouched(input.jobUntouched()));
  }

  /** Best effort: a job that is ended closes its sinks in order. */
  private @Nullable StateRef endJob(Observation seen) {
    if (seen.deletionSavepointMs() > 0) {
      FinalSavepoint savepoint = new FinalSavepoint(context, steps, assessor, place.endStep());
      StateRef kept = savepoint.keep(seen);
      endedJob = savepoint.endedJob();
      return kept;
    }
    if (seen.job() instanceof Alive alive) {
      long deadline = context.in(CANCEL);
      try {
        TakenState unused =
            steps.runOnce(
                Step.CANCEL_JOB,
                "Cancel job " + alive.jobId() + ", at most " + CANCEL.toSeconds() + " s",
                deadline,
                JobActivities.class,
                a ->
                    a.cancelJob(
                        new CancelRequest(
                            context.resource(),
                            new JobRef(seen.cluster().ref(), alive.jobId()),
                            OnlyIf.ANY_CASE,
                            deadline)));
        endedJob = alive.jobId();
        context.done("Job cancelled");
      } catch (ActivityFailure failure) {
        context.done("The job was not cancelled; continuing: " + steps.describe(failure));
      }
    }
    RestorePoint recorded =
        seen.recorded() == null ? context.input().restorePoint() : seen.recorded();
    return recorded == null ? null : recorded.state();
  }

  /** Null when all is gone, else what is left. */
  private @Nullable String remove(Observation first, @Nullable NoJobsWait jobs) {
    Observation seen = first;
    String left = null;
    int attempt = 1;
    while (attempt <= ATTEMPTS) {
      try {
        place.removeOnce(seen, endedJob, jobs != null);
        return null;
      } catch (ActivityFailure failure) {
        left = steps.describe(failure);
        boolean outdated = StepFailure.is(failure, FailureType.OUTDATED);
        if (jobs != null && outdated) {
          context.done("Looking at the jobs again: " + left);
          jobs.await();
          continue;
        }
        context.done("Attempt %d of %d failed: %s".formatted(attempt, ATTEMPTS, left));
        attempt++;
        if (outdated && attempt <= ATTEMPTS) {
          seen = place.afterOutdated(seen, () -> assessor.observe(Duration.ZERO));
        }
      }
    }
    return left;
  }
}
