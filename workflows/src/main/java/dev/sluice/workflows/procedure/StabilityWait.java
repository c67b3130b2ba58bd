package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.procedure.Assessor.Goal;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a job whose tasks are up counts as stable. Where nothing is asked for, it takes no
 * step and writes nothing.
 */
final class StabilityWait {

  private static final String SUMMARY = "Wait until the job is stable";
  private static final String UP = "Every task is up; waiting until the job is stable";

  /** The job runs all the same: the status goes on to say what is missing. */
  private static final Set<String> STILL_UP =
      Set.of(FailureType.NOT_STABLE, FailureType.NO_CHECKPOINTS);

  private final OperationContext context;
  private final StepRunner steps;
  private final Goal goal;
  private @Nullable String told;
  private boolean overdue;

  StabilityWait(OperationContext context, StepRunner steps, Goal goal) {
    this.context = context;
    this.steps = steps;
    this.goal = goal;
  }

  /** Not in a recovery: that spec was stable before, and how often it is tried is limited. */
  boolean isAsked(Frozen target) {
    return goal != Goal.DEPLOYED && target.stableAfter() != null;
  }

  /**
   * Returns when the job is stable, or when a retry is requested while the status offers that.
   *
   * @return whether it is stable
   * @throws dev.sluice.workflows.operation.InterruptedRun when something is asked for meanwhile
   * @throws io.temporal.failure.ActivityFailure when it fails, or is not stable in time
   */
  boolean await(Frozen target, JobRef job) {
    StableAfter wanted = Objects.requireNonNull(target.stableAfter());
    long start = target.readinessTimeoutMs();
    Duration patience = Duration.ofMillis(AwaitStableRequest.patienceMs(wanted, start));
    tell(job, wanted, patience);
    long deadline = context.in(patience);
    Optional<StableJob> stable =
        steps.awaitAtLength(
            Step.AWAIT_STABLE,
            SUMMARY,
            deadline,
            JobActivities.class,
            a ->
                a.awaitStable(
                    new AwaitStableRequest(context.resource(), job, wanted, start, deadline)));
    stable.ifPresent(it -> context.done("The job is stable: " + it.why()));
    return stable.isPresent();
  }

  private void tell(JobRef job, StableAfter wanted, Duration patience) {
    if (!job.jobId().equals(told)) {
      steps.goesOnUntold(Step.AWAIT_STABLE, UP);
      recordUp(job, wanted, patience);
      told = job.jobId();
    } else if (!overdue) {
      steps.goesOn(Step.AWAIT_STABLE, UP);
    }
  }

  /** What the job does from now on is not in the state that is recorded, whoever carries on. */
  private void recordUp(JobRef job, StableAfter wanted, Duration patience) {
    OperationReport up =
        context
            .report(OperationState.RUNNING, Step.AWAIT_STABLE, null, UP, null)
            .withUpJob(job.jobId());
    steps.run(
        Step.REPORT,
        "Record that every task of job " + job.jobId() + " is up",
        ResourceActivities.class,
        a -> {
          // how long checkpoints may take is known to the job only
          a.report(wanted.checkpoints() == 0 ? up.withDeadlineMs(context.in(patience)) : up);
          return true;
        });
  }

  /** The wait has failed. */
  void failed(StepFailure why) {
    overdue = STILL_UP.contains(why.type());
  }
}
