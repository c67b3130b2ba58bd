package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job can be scaled in place, as far as one observation tells: what its vertices and its
 * checkpoints say comes later. Pure.
 */
public final class RescalePlanner {

  /** Why it cannot be done in place, as far as was observed; null when it may be. */
  public @Nullable String problem(Observation seen) {
    if (seen.newest().target().suspended()) {
      return "no job is to run any more";
    }
    if (seen.newest().problem() != null && !seen.begun()) {
      return "the newest spec is not valid";
    }
    if (seen.begun() && seen.newest().sameAsStable()) {
      return "the newest spec is the one before";
    }
    if (!seen.cluster().present()) {
      return "there is no JobManager Deployment";
    }
    if (!seen.otherJobs().isEmpty()) {
      return "the cluster runs other jobs";
    }
    if (seen.job() instanceof Ended ended) {
      return "the job is " + ended.state();
    }
    boolean up = seen.job() instanceof Alive job && job.isUp();
    // once it is begun, Flink restarts its tasks
    return up || seen.begun() ? null : "not every task of the job is up";
  }

  /** The spec that was begun is not asked for any more, and the job of the one before runs. */
  public boolean isReverted(Observation seen) {
    return seen.begun()
        && seen.newest().problem() == null
        && seen.newest().sameAsStable()
        && seen.cluster().present()
        && !(seen.job() instanceof Ended);
  }

  /** One that is not valid changes nothing about what was begun. */
  public Target goal(Observation seen) {
    Target frozen = seen.frozen();
    boolean invalid = seen.newest().problem() != null;
    return invalid && frozen != null ? frozen : seen.newest().target();
  }
}
