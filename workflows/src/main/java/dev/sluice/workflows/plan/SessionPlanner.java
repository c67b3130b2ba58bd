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
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Teardown.ReplaceSession;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a session cluster gets to its target, from one observation. Pure. No job on it is
 * lost by that: it is not replaced while jobs run on it, unless they come back from
 * high-availability metadata, or the user gives them up. Where all of them are jobs of
 * FlinkSessionJobs, each is suspended by its own upgrade mode, also with high availability: a
 * metadata restart would go back to the newest checkpoint, or to the beginning.
 */
final class SessionPlanner {

  private static final String EMPTY = "empty";
  private static final String GIVE_UP =
      " To give them up, annotate with sluice.dev/restore-from=empty and sluice.dev/retry.";

  /**
   * @param seen what was observed
   * @param target the spec to reach
   * @param patient the observation has already waited for things to settle
   * @param retry the user requested a retry: a cluster of the target that does not answer is
   *     replaced, savepoints in progress are not waited for, and {@code sluice.dev/restore-from}
   *     counts
   */
  Decision decide(Observation seen, Target target, boolean patient, boolean retry) {
    boolean answers = seen.job() instanceof Absent;
    RestorePoint started = UpgradePlanner.startedFrom(seen, target);
    if (started != null && (answers || !retry)) {
      return new AwaitStarted(
          started.startedJob(),
          started.state(),
          answers,
          answers ? "The new cluster answers." : "The new cluster is already created.");
    }
    boolean any = !(seen.job() instanceof NeverStarted) || !seen.otherJobs().isEmpty();
    if (any && retry && isGivenUp(seen)) {
      return end(seen);
    }
    Decision decision = replace(seen, target, answers, patient);
    Decision later = comesBack(decision) && !retry ? notYet(seen, target, answers, patient) : null;
    return later == null ? orChosen(seen, decision, retry) : later;
  }

  /**
   * Whether the cluster of a first deployment that is given up may go: that decides {@link Proceed}
   * or {@link Hold}.
   *
   * @param retry as in {@link #decide}
   */
  Decision takeDown(Observation seen, boolean retry) {
    if (isNoneCreatedYet(seen)) {
      // what is there is of another instance, and stays
      return proceed(seen, JobsOnCluster.COME_BACK, "No cluster was created yet.");
    }
    if (retry && isGivenUp(seen)) {
      return end(seen);
    }
    return orChosen(seen, lost(seen, seen.job() instanceof Absent, true), retry);
  }

  /** A savepoint of a job is in progress, or may be; null when none is waited for. */
  private static @Nullable Decision notYet(
      Observation seen, Target target, boolean answers, boolean patient) {
    if (PendingSavepoint.isAwaited(seen, target)) {
      return SuspendPlanner.notYet(patient, PendingSavepoint.why(seen.savepoints()), false);
    }
    boolean mayAnswer = !answers && seen.cluster().present() && !seen.cluster().stopped();
    return mayAnswer && !patient && PendingSavepoint.mayBeAwaited(seen, target)
        ? new Settle("The JobManager does not answer.")
        : null;
  }

  /** The jobs run until the cluster goes: nobody stops them before, as {@link #suspended} does. */
  private static boolean comesBack(Decision decision) {
    return decision instanceof Proceed it
        && it.plan().teardown() instanceof ReplaceSession replace
        && replace.jobs() == JobsOnCluster.COME_BACK;
  }

  private static boolean isGivenUp(Observation seen) {
    String choice = seen.newest().restoreFrom();
    return choice != null && choice.trim().equals(EMPTY);
  }

  private static Decision orChosen(Observation seen, Decision decision, boolean retry) {
    String choice = seen.newest().restoreFrom();
    return decision instanceof Hold hold
            && hold.offersRestoreFrom()
            && retry
            && choice != null
            && !choice.isBlank()
        ? notFromAState(choice.trim(), hold)
        : decision;
  }

  private static Decision replace(
      Observation seen, Target target, boolean answers, boolean patient) {
    if (isNoneCreatedYet(seen) && !seen.otherJobs().isEmpty()) {
      return new Hold(false, Reasons.OTHER_JOBS, left(seen), true);
    }
    if (seen.job() instanceof NeverStarted never) {
      return proceed(
          seen, JobsOnCluster.NONE, "No cluster was created yet: " + never.proof() + ".");
    }
    boolean suspends = answers && !seen.otherJobs().isEmpty() && seen.unmanagedJobs().isEmpty();
    if (mayComeBack(seen, target) && !suspends) {
      return proceed(
          seen,
          JobsOnCluster.COME_BACK,
          "Jobs on the cluster go on from their high-availability metadata.");
    }
    if (suspends) {
      return suspended(seen);
    }
    return lost(seen, answers, patient);
  }

  /** What becomes of the jobs of a cluster that goes, and with which they would end. */
  private static Decision lost(Observation seen, boolean answers, boolean patient) {
    List<String> jobs = seen.otherJobs();
    if (!jobs.isEmpty()) {
      List<String> unmanaged = seen.unmanagedJobs();
      return new Hold(
          false,
          Reasons.OTHER_JOBS,
          running(unmanaged.isEmpty() ? jobs : unmanaged, answers) + GIVE_UP,
          true);
    }
    if (answers || seen.cluster().runsNoJobBesideTheMetadata()) {
      return proceed(seen, JobsOnCluster.NONE, "No job runs on the cluster.");
    }
    return patient
        ? new Hold(
            true,
            Reasons.STATE_NOT_FOUND,
            "The JobManager does not answer, so it is not known which jobs run on the cluster, and"
                + " they would be lost with it."
                + GIVE_UP,
            true)
        : new Settle("The JobManager does not answer.");
  }

  private static String running(List<String> jobs, boolean answers) {
    return (answers
            ? "Jobs run on the cluster and would be lost with it: "
            : "The high-availability metadata has jobs that the new spec cannot go on with: ")
        + JobsOnCluster.named(jobs)
        + ". Stop them, with a savepoint where their state counts, and start them again after the"
        + " upgrade; or let both specs have high availability, with the same"
        + " high-availability.storageDir, and the same Flink version.";
  }

  /** Metadata of that name is that of another instance, and so are its jobs. */
  private static boolean isNoneCreatedYet(Observation seen) {
    return seen.stableGeneration() == null
        && !seen.cluster().present()
        && seen.cluster().preparedJobId() == null;
  }

  private static String left(Observation seen) {
    return "An earlier cluster of this name has left high-availability metadata with jobs, which"
        + " would run again in this one: "
        + JobsOnCluster.named(seen.otherJobs())
        + ". Delete the ConfigMaps "
        + seen.cluster().ref().clusterId()
        + "-*-config-map of Flink to start without them, or keep what you need of them first."
        + GIVE_UP;
  }

  /**
   * As after a failure of the JobManager: only the same version of Flink reads what it wrote, and
   * the jars of the jobs stay in the directory of their cluster.
   */
  private static boolean mayComeBack(Observation seen, Target target) {
    return seen.cluster().highAvailability() != HighAvailability.OFF
        && target.options().highAvailability()
        && seen.deployed() != null
        && Objects.equals(seen.deployed().flinkVersion(), target.flinkVersion())
        && Objects.equals(
            seen.deployed().highAvailabilityStore(), target.options().highAvailabilityStore())
        && !isNoneCreatedYet(seen);
  }

  private static Decision proceed(Observation seen, JobsOnCluster jobs, String why) {
    return proceed(seen, new Plan.Restore.From(StateRef.Empty.SESSION), jobs, why);
  }

  private static Decision proceed(
      Observation seen, Plan.Restore restore, JobsOnCluster jobs, String why) {
    return new Proceed(
        new Plan(
            new Suspend.None(),
            restore,
            ReplaceSession.of(
                seen.cluster(),
                jobs,
                jobs == JobsOnCluster.COME_BACK ? seen.otherJobs() : List.of()),
            why));
  }

  /** Jobs that were submitted meanwhile are found when the cluster is about to go. */
  private static Decision suspended(Observation seen) {
    return new Proceed(
        new Plan(
            new Suspend.SessionJobs(),
            new Plan.Restore.From(StateRef.Empty.SESSION),
            ReplaceSession.of(seen.cluster(), JobsOnCluster.NONE, List.of()),
            "Its FlinkSessionJobs suspend their jobs first, and start them again on the next"
                + " cluster."));
  }

  private static Hold notFromAState(String choice, Hold otherwise) {
    return new Hold(
        otherwise.blocked(),
        otherwise.reason(),
        "sluice.dev/restore-from is '"
            + choice
            + "', but a session cluster is not started from a state: 'empty' gives its jobs up. "
            + otherwise.why(),
        true);
  }

  private static Decision end(Observation seen) {
    return proceed(
        seen,
        new Plan.Restore.Chosen(
            new StateRef.Empty("chosen with sluice.dev/restore-from"),
            Objects.requireNonNull(seen.newest().restoreFrom())),
        JobsOnCluster.END,
        "sluice.dev/restore-from is 'empty': jobs on the cluster are given up.");
  }
}
