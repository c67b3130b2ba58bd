package dev.sluice.workflows.upgrade;

import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.JobSeen;
import dev.sluice.workflows.upgrade.UpgradePlan.Discard;
import dev.sluice.workflows.upgrade.UpgradePlan.KeepCheckpoint;
import dev.sluice.workflows.upgrade.UpgradePlan.NothingToDo;
import dev.sluice.workflows.upgrade.UpgradePlan.Park;
import dev.sluice.workflows.upgrade.UpgradePlan.Settle;
import dev.sluice.workflows.upgrade.UpgradePlan.StartFrom;
import dev.sluice.workflows.upgrade.UpgradePlan.TakeSavepoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a resource gets to its newest spec, from one observation. Pure. The one rule above
 * all others: a job that is not stateless never starts without its state; when that cannot be
 * found, a person decides.
 *
 * <p>Run again after any interruption it picks up where things stand, because it looks only at what
 * is there: a state that was recorded is used, a savepoint that was taken is adopted.
 */
public final class UpgradePlanner {

  private static final String STATELESS = "stateless";

  /**
   * @param seen what was observed
   * @param patient true when the observation already waited for the job to settle
   */
  public UpgradePlan plan(Observation seen, boolean patient) {
    if (upToDate(seen)) {
      return new NothingToDo("generation " + seen.generation() + " runs already");
    }
    if (seen.upgradeMode().equals(STATELESS)) {
      return stateless(seen);
    }
    if (!seen.cluster().present()) {
      return fallback(seen, "no cluster is there", "the JobManager Deployment is missing");
    }
    return withCluster(seen, patient);
  }

  private static UpgradePlan stateless(Observation seen) {
    // what the very first start restores is named by the spec, whatever becomes of later state
    String jobId = runningJob(seen.job());
    if (!isFirst(seen)) {
      return new Discard(jobId, null, "upgradeMode is stateless");
    }
    String why =
        seen.frozenGeneration() == null ? "it never ran before" : "it was never stable before";
    return new Discard(jobId, seen.initialSavepointPath(), why);
  }

  private static boolean isFirst(Observation seen) {
    return seen.frozenGeneration() == null || seen.firstDeployment();
  }

  private static UpgradePlan withCluster(Observation seen, boolean patient) {
    JobSeen job = seen.job();
    if (!job.reachable()) {
      return patient || hasFallback(seen)
          ? fallback(seen, "the JobManager does not answer", "the JobManager does not answer")
          : new Settle("the JobManager does not answer");
    }
    if (job.jobId() == null || job.state() == null) {
      return withoutJob(seen);
    }
    return switch (job.state()) {
      case "RUNNING" -> running(seen, job.jobId(), patient);
      case "FINISHED" ->
          job.latestState() != null
              ? new StartFrom(job.latestState(), "the job was stopped with this savepoint")
              : lostSavepoint(seen, job.jobId());
      case "FAILED", "CANCELED" ->
          job.latestState() != null
              ? new StartFrom(job.latestState(), "the job is " + job.state() + "; its newest state")
              : fallback(seen, "the job is " + job.state(), "the job is " + job.state());
      default -> transientState(seen, job.jobId(), job.state(), patient);
    };
  }

  private static UpgradePlan running(Observation seen, String jobId, boolean patient) {
    JobSeen job = seen.job();
    if (job.tasksTotal() > 0 && job.tasksRunning() == job.tasksTotal()) {
      return new TakeSavepoint(jobId, "the job runs and upgradeMode is savepoint");
    }
    String state = "only %d of %d tasks run".formatted(job.tasksRunning(), job.tasksTotal());
    return transientState(seen, jobId, state, patient);
  }

  private static UpgradePlan transientState(
      Observation seen, String jobId, String state, boolean patient) {
    if (!patient && !hasFallback(seen)) {
      return new Settle("the job is " + state);
    }
    if (seen.job().latestState() != null) {
      return new KeepCheckpoint(jobId, "a savepoint is not possible: the job is " + state);
    }
    return fallback(seen, "the job is " + state, "the job is " + state + " and has no checkpoint");
  }

  /** The JobManager answers and knows no job: it was restarted after the job had ended. */
  private static UpgradePlan withoutJob(Observation seen) {
    String jobId = seen.cluster().jobId();
    return hasFallback(seen) || jobId == null
        ? fallback(seen, "the JobManager has no job", "the JobManager has no job")
        : new TakeSavepoint(jobId, "the job has ended; look for the savepoint it was stopped with");
  }

  private static UpgradePlan lostSavepoint(Observation seen, String jobId) {
    return hasFallback(seen)
        ? fallback(seen, "the job has finished", "the job has finished")
        : new TakeSavepoint(jobId, "the job has finished; look for the savepoint of it");
  }

  private static UpgradePlan fallback(Observation seen, String why, String problem) {
    if (seen.recordedState() != null) {
      return new StartFrom(seen.recordedState(), why + "; the state was recorded before");
    }
    if (isFirst(seen)) {
      return seen.initialSavepointPath() == null
          ? new StartFrom(null, why + "; it never ran before")
          : new StartFrom(seen.initialSavepointPath(), why + "; spec.job.initialSavepointPath");
    }
    if (statelessBegun(seen)) {
      return new StartFrom(null, why + "; the state was given up by a stateless upgrade");
    }
    return new Park(
        problem
            + ", and no savepoint or checkpoint of the job is known. Starting without its state is"
            + " never done. Bring the JobManager back and retry, or set upgradeMode: stateless to"
            + " give the state up.");
  }

  private static boolean hasFallback(Observation seen) {
    return seen.recordedState() != null || isFirst(seen) || statelessBegun(seen);
  }

  /** A stateless upgrade was begun and its old cluster is gone: there is no state to look for. */
  private static boolean statelessBegun(Observation seen) {
    return seen.upgrading()
        && STATELESS.equals(seen.frozenUpgradeMode())
        && !(seen.cluster().present()
            && Objects.equals(seen.cluster().generation(), seen.stableGeneration()));
  }

  private static boolean upToDate(Observation seen) {
    return !seen.upgrading()
        && seen.frozenGeneration() != null
        && seen.frozenGeneration() == seen.generation()
        && Objects.equals(seen.frozenGeneration(), seen.stableGeneration());
  }

  private static @Nullable String runningJob(JobSeen job) {
    if (job.jobId() == null || job.state() == null) {
      return null;
    }
    return switch (job.state()) {
      case "FINISHED", "FAILED", "CANCELED" -> null;
      default -> job.jobId();
    };
  }
}
