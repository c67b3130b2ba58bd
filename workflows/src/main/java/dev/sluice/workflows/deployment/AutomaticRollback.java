package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.StepFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether an upgrade is given up whose job does not come up, if the spec asks for that. Where the
 * cause may pass, such as an image that cannot be pulled, as long is waited as a start may take.
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
  private @Nullable Frozen target;
  private @Nullable String jobId;
  private long latestMs;

  AutomaticRollback(OperationContext context) {
    this.context = context;
  }

  /** The job was started, or is looked at again. */
  void starts(Frozen frozen, JobRef job) {
    target = frozen;
    if (!job.jobId().equals(jobId)) {
      jobId = job.jobId();
      countsAnew();
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
   * Why the upgrade is to be given up now; null when it is not.
   *
   * @param seen what was observed since
   */
  @Nullable String dueFor(StepFailure why, Observation seen) {
    Frozen frozen = target;
    if (frozen == null || !frozen.rollsBack() || NO_FAULT.contains(why.type())) {
      return null;
    }
    long generation = frozen.target().generation();
    Long stable = seen.stableGeneration();
    boolean hasOlder = stable != null && stable != generation;
    boolean waits =
        why.mayPass() && !AT_ONCE.contains(why.type()) && Workflow.currentTimeMillis() < latestMs;
    RestorePoint recorded = seen.recorded();
    // going back to a job that had state, without it, needs a decision by hand
    boolean losesNothing =
        recorded != null
            && (frozen.afterStateless() || !(recorded.leftByStable() instanceof StateRef.Empty));
    return hasOlder && losesNothing && !waits && !mayBeWell(why, seen)
        ? "generation %d did not come up (%s: %s)".formatted(generation, why.type(), why.message())
        : null;
  }

  /**
   * What has failed, as far as is known: of a job that was up, and cannot be asked again, only that
   * it is silent.
   */
  StepFailure told(StepFailure why, Observation seen) {
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
  private boolean mayBeWell(StepFailure why, Observation seen) {
    RestorePoint recorded = seen.recorded();
    return recorded != null
        && recorded.wasUp(jobId)
        && seen.cluster().present()
        && seen.job() instanceof Unreachable
        && BY_ITS_ANSWERS.contains(why.type());
  }
}
