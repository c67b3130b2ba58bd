package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import java.util.List;

/**
 * A savepoint that somebody takes of the job while the job is to be stopped, or of a job on the
 * session cluster that is to be replaced: it would fail. Pure.
 */
final class PendingSavepoint {

  static final String WHY =
      "A savepoint of the job is in progress, which is waited for. Annotate with sluice.dev/retry to"
          + " stop the job at once; the savepoint fails then.";

  private PendingSavepoint() {}

  /** Why a session cluster is not replaced. */
  static String why(List<String> jobs) {
    return "A savepoint of a job on the session cluster is in progress, which is waited for: job "
        + JobsOnCluster.named(jobs)
        + ". Annotate with sluice.dev/retry to replace the cluster at once; the savepoint fails"
        + " then.";
  }

  /**
   * Whether it is waited for: not on the way back, which is urgent, nor of a job that is restarted
   * because it is not healthy. Flink gives it up after the checkpoint timeout of the job.
   */
  static boolean isAwaited(Observation seen, Target target) {
    return isTaken(seen) && mayBeAwaited(seen, target);
  }

  /** Whether one would be waited for, if it is known to be in progress. */
  static boolean mayBeAwaited(Observation seen, Target target) {
    return !target.options().ignoresSavepoints()
        && seen.phase() != Phase.ROLLING_BACK
        && !seen.replacesUnhealthy();
  }

  private static boolean isTaken(Observation seen) {
    return seen.job() instanceof Alive job
        ? job.isUp() && job.times().takesSavepoint()
        : !seen.savepoints().isEmpty();
  }
}
