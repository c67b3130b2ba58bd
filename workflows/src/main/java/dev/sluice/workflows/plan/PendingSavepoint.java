package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;

/**
 * A savepoint that somebody takes of the job while the job is to be stopped: stopping the job would
 * make it fail. Pure.
 */
final class PendingSavepoint {

  static final String WHY =
      "A savepoint of the job is in progress, which is waited for. Annotate with sluice.dev/retry to"
          + " stop the job at once; the savepoint fails then.";

  private PendingSavepoint() {}

  /**
   * Whether it is waited for: not on the way back, which is urgent, nor of a job that is restarted
   * because it is not healthy. Flink gives it up after the checkpoint timeout of the job.
   */
  static boolean isAwaited(Observation seen, Target target) {
    return seen.job() instanceof Alive job
        && job.isUp()
        && job.times().takesSavepoint()
        && !target.options().ignoresSavepoints()
        && seen.phase() != Phase.ROLLING_BACK
        && !seen.replacesUnhealthy();
  }
}
