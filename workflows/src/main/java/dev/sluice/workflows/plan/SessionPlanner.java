package dev.sluice.workflows.plan;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.NeverStarted;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Teardown;
import java.util.List;
import java.util.Objects;

/**
 * Decides how a session cluster gets to its target, from one observation. Pure. No job on it is
 * lost by that: it is not replaced while jobs run on it, unless they come back from
 * high-availability metadata, or the user gives them up. Where all of them are jobs of
 * FlinkSessionJobs, each is suspended by its own upgrade mode, also with high availability: a
 * metadata restart would go back to the newest checkpoint, or to the beginning.
 */
record SessionPlanner(Observation seen, Tried tried) {

  private static final Restore EMPTY = new Restore.From(StateRef.Empty.SESSION);
  private static final String GIVE_UP =
      " To give them up, annotate with sluice.dev/restore-from=empty and sluice.dev/retry.";
  private static final String SILENT = "The JobManager does not answer";

  private boolean answers() {
    return seen.job() instanceof Absent;
  }

  Decision decide(Target target) {
    RestorePoint started = UpgradePlanner.startedFrom(seen, target);
    if (started != null && (answers() || !tried.retry())) {
      return new AwaitStarted(
          started.startedJob(),
          started.state(),
          answers(),
          answers() ? "The new cluster answers." : "The new cluster is already created.");
    }
    boolean any = !(seen.job() instanceof NeverStarted) || !seen.otherJobs().isEmpty();
    if (any && isGivenUp()) {
      return end();
    }
    Decision decision = asChosen(replace(target));
    boolean mustWait =
        decision instanceof Proceed it
            && it.plan().teardown().jobs() == JobsOnCluster.COME_BACK
            && !tried.retry()
            && UpgradePlanner.wouldAwaitSavepoint(seen, target);
    if (mustWait && !seen.savepoints().isEmpty()) {
      // nobody stops the jobs before the cluster goes
      return Decision.notYet(
          tried.patient(),
          "A savepoint of a job on the session cluster is in progress, which is waited for: job %s. Annotate with sluice.dev/retry to replace the cluster at once; the savepoint fails then."
              .formatted(JobsOnCluster.named(seen.savepoints())));
    }
    boolean mayTell =
        !answers() && !tried.patient() && seen.cluster().present() && !seen.cluster().stopped();
    return mustWait && mayTell ? new Settle(SILENT + ".") : decision;
  }

  /** {@link Proceed} where the cluster of a first deployment that is given up may go. */
  Decision takeDown() {
    if (isNoneCreatedYet()) {
      // what is there is of another instance, and stays
      return replace(JobsOnCluster.COME_BACK, "No cluster was created yet.");
    }
    return isGivenUp() ? end() : asChosen(withoutJobs());
  }

  private boolean isGivenUp() {
    return UpgradePlanner.EMPTY.equals(tried.choice(seen));
  }

  /** No state is chosen for a session cluster. */
  private Decision asChosen(Decision decision) {
    String choice = tried.choice(seen);
    return decision instanceof Hold hold && choice != null
        ? hold.withWhy(
                "sluice.dev/restore-from is '%s', but a session cluster is not started from a state: 'empty' gives its jobs up. %s"
                    .formatted(choice, hold.why()))
            .withOffersRestoreFrom(true)
        : decision;
  }

  /** The first row that fits decides, as in docs/session-clusters.md. */
  private Decision replace(Target target) {
    if (isNoneCreatedYet() && !seen.otherJobs().isEmpty()) {
      return busy(
          "An earlier cluster of this name has left high-availability metadata with jobs, which would run again in this one: %s. Delete the ConfigMaps %s-*-config-map of Flink to start without them, or keep what you need of them first."
              .formatted(JobsOnCluster.named(seen.otherJobs()), seen.cluster().ref().clusterId()));
    }
    if (seen.job() instanceof NeverStarted never) {
      return replace(JobsOnCluster.NONE, "No cluster was created yet: " + never.proof() + ".");
    }
    if (answers() && !seen.otherJobs().isEmpty() && seen.unmanagedJobs().isEmpty()) {
      // jobs that are submitted meanwhile are found when the cluster is about to go
      return proceed(
          new Suspend(Suspend.How.SESSION_JOBS, null),
          EMPTY,
          JobsOnCluster.NONE,
          "Its FlinkSessionJobs suspend their jobs first, and start them again on the next"
              + " cluster.");
    }
    return mayComeBack(target)
        ? replace(
            JobsOnCluster.COME_BACK,
            "Jobs on the cluster go on from their high-availability metadata.")
        : withoutJobs();
  }

  /** Jobs would end with the cluster. */
  private Decision withoutJobs() {
    if (!seen.otherJobs().isEmpty()) {
      List<String> unmanaged = seen.unmanagedJobs();
      return busy(
          (answers()
                  ? "Jobs run on the cluster and would be lost with it: "
                  : "The high-availability metadata has jobs that the new spec cannot go on with: ")
              + JobsOnCluster.named(unmanaged.isEmpty() ? seen.otherJobs() : unmanaged)
              + ". Stop them, with a savepoint where their state counts, and start them again after"
              + " the upgrade; or let both specs have high availability, with the same"
              + " high-availability.storageDir, and the same Flink version.");
    }
    if (answers() || seen.cluster().runsNoJobBesideTheMetadata()) {
      return replace(JobsOnCluster.NONE, "No job runs on the cluster.");
    }
    return tried.patient()
        ? new Hold(
            true,
            Reasons.STATE_NOT_FOUND,
            SILENT
                + ", so it is not known which jobs run on the cluster, and they would be lost with"
                + " it."
                + GIVE_UP,
            true)
        : new Settle(SILENT + ".");
  }

  /** Metadata of that name is that of another instance, and so are its jobs. */
  private boolean isNoneCreatedYet() {
    return seen.stableGeneration() == null
        && !seen.cluster().present()
        && seen.cluster().preparedJobId() == null;
  }

  /**
   * As after a failure of the JobManager: only the same version of Flink reads what it wrote, and
   * the jars of the jobs stay in the directory of their cluster.
   */
  private boolean mayComeBack(Target target) {
    return seen.cluster().highAvailability() != HighAvailability.OFF
        && target.options().highAvailability()
        && seen.deployed() != null
        && Objects.equals(seen.deployed().flinkVersion(), target.flinkVersion())
        && Objects.equals(
            seen.deployed().highAvailabilityStore(), target.options().highAvailabilityStore())
        && !isNoneCreatedYet();
  }

  private static Hold busy(String why) {
    return new Hold(false, Reasons.OTHER_JOBS, why + GIVE_UP, true);
  }

  private Decision end() {
    return proceed(
        Suspend.NONE,
        new Restore.Chosen(
            UpgradePlanner.CHOSEN_EMPTY, Objects.requireNonNull(seen.newest().restoreFrom())),
        JobsOnCluster.END,
        "sluice.dev/restore-from is 'empty': jobs on the cluster are given up.");
  }

  private Decision replace(JobsOnCluster jobs, String why) {
    return proceed(Suspend.NONE, EMPTY, jobs, why);
  }

  private Decision proceed(Suspend suspend, Restore restore, JobsOnCluster jobs, String why) {
    return new Proceed(new Plan(suspend, restore, Teardown.of(seen.cluster()).withJobs(jobs), why));
  }
}
