package dev.sluice.workflows.procedure;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.procedure.Assessor.Goal;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives an upgrade up whose job does not come up, if the spec asks for that: it requests the abort
 * that would be requested by hand. Where the cause may pass, such as an image that cannot be
 * pulled, it waits as long as a start may take.
 */
final class AutomaticRollback {

  /** What may pass, and was waited for already. */
  private static final Set<String> AT_ONCE = Set.of(FailureType.POD_FAILED, FailureType.NOT_STABLE);

  /** Says nothing of the job: it cannot be asked, or no worker did. */
  private static final Set<String> NO_FAULT =
      Set.of(FailureType.JOB_MANAGER_SILENT, FailureType.TIMED_OUT);

  /** What a job that was up is not blamed for while it cannot be asked. */
  private static final Set<String> BY_ITS_ANSWERS =
      Set.of(FailureType.NOT_STABLE, FailureType.CLUSTER_NOT_READY);

  private final OperationContext context;
  private final Goal goal;
  private @Nullable Frozen target;
  private @Nullable String jobId;
  private long latestMs;

  AutomaticRollback(OperationContext context, Goal goal) {
    this.context = context;
    this.goal = goal;
  }

  /** The job was started, or is looked at again. */
  void starts(Frozen frozen, JobRef job) {
    target = frozen;
    if (!job.jobId().equals(jobId)) {
      jobId = job.jobId();
      latestMs = context.in(Duration.ofMillis(frozen.readinessTimeoutMs()));
    }
  }

  /**
   * Every task was up, or the job had to wait for what is not its own: what fails from now on and
   * may pass is given as long as a start.
   */
  void countsAnew() {
    Frozen frozen = target;
    if (frozen != null) {
      latestMs = context.in(Duration.ofMillis(frozen.readinessTimeoutMs()));
    }
  }

  /**
   * Returns when the upgrade is not to be given up, or cannot be now.
   *
   * @param seen what was observed last; null when nothing was
   * @throws dev.sluice.workflows.operation.InterruptedRun to roll back
   */
  void giveUpIfDue(StepFailure why, @Nullable Observation seen) {
    Frozen frozen = target;
    boolean atFault = !NO_FAULT.contains(why.type());
    if (goal != Goal.NEWEST || frozen == null || !frozen.rollsBack() || !atFault) {
      return;
    }
    long generation = frozen.target().generation();
    Long stable = seen == null ? null : seen.stableGeneration();
    boolean hasOlder = stable != null && stable != generation;
    boolean waits =
        why.mayPass() && !AT_ONCE.contains(why.type()) && Workflow.currentTimeMillis() < latestMs;
    RestorePoint recorded = recorded(seen);
    // going back to a job that had state, without it, needs a decision by hand
    boolean losesNothing =
        recorded != null
            && (frozen.afterStateless() || !(recorded.leftByStable() instanceof StateRef.Empty));
    if (hasOlder && losesNothing && !waits && !mayBeWell(why, seen)) {
      context
          .signals()
          .abort(
              "generation %d did not come up (%s: %s)"
                  .formatted(generation, why.type(), why.message()));
      context.safePoint();
    }
  }

  /** What this run recorded, or found recorded by one that it takes over from. */
  private @Nullable RestorePoint recorded(@Nullable Observation seen) {
    return context.restorePoint() != null || seen == null
        ? context.restorePoint()
        : seen.recorded();
  }

  /**
   * What has failed, as far as that can be told: of a job that was up, and cannot be asked again,
   * only that it is silent.
   */
  StepFailure told(StepFailure why, @Nullable Observation seen) {
    return why.type().equals(FailureType.CLUSTER_NOT_READY) && mayBeWell(why, seen)
        ? new StepFailure(
            FailureType.JOB_MANAGER_SILENT,
            "Every task of job %s was up, and its JobManager does not answer any more: %s"
                .formatted(jobId, why.message()),
            true)
        : why;
  }

  /**
   * Whether the job was up, it cannot be asked now, and its JobManager is there: it may run, and be
   * stable for long.
   */
  private boolean mayBeWell(StepFailure why, @Nullable Observation seen) {
    RestorePoint recorded = seen == null ? null : seen.recorded();
    return seen != null
        && recorded != null
        && recorded.wasUp(jobId)
        && seen.cluster().present()
        && seen.job() instanceof Unreachable
        && BY_ITS_ANSWERS.contains(why.type());
  }
}
