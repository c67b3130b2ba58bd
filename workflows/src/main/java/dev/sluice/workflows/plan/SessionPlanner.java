package dev.sluice.workflows.plan;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
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

/**
 * Decides how a session cluster gets to its target, from one observation. Pure. No job on it is
 * lost by that: it is not replaced while jobs run on it, unless they come back from
 * high-availability metadata, or the user gives them up.
 */
final class SessionPlanner {

  private static final String EMPTY = "empty";
  private static final String GIVE_UP =
      " To give them up, annotate with sluice.dev/restore-from=empty and sluice.dev/retry.";
  private static final int NAMED = 5;

  /**
   * @param seen what was observed
   * @param target the spec to reach
   * @param patient the observation has already waited for things to settle
   * @param retry the user requested a retry: a cluster of the target that does not answer is
   *     replaced, and {@code sluice.dev/restore-from} counts
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
    Decision decision = replace(seen, target, answers, patient);
    String choice = seen.newest().restoreFrom();
    boolean mayChoose = decision instanceof Hold hold && hold.offersRestoreFrom();
    return mayChoose && retry && choice != null && !choice.isBlank()
        ? chosen(seen, choice, (Hold) decision)
        : decision;
  }

  private static Decision replace(
      Observation seen, Target target, boolean answers, boolean patient) {
    List<String> jobs = seen.otherJobs();
    if (seen.job() instanceof NeverStarted never) {
      return proceed(
          seen, JobsOnCluster.NONE, "No cluster was created yet: " + never.proof() + ".");
    }
    if (mayComeBack(seen, target)) {
      return proceed(
          seen,
          JobsOnCluster.COME_BACK,
          "Jobs on the cluster go on from their high-availability metadata.");
    }
    if (!jobs.isEmpty()) {
      return new Hold(false, Reasons.OTHER_JOBS, running(jobs, answers) + GIVE_UP, true);
    }
    if (answers || noneCanRun(seen.cluster())) {
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
        + named(jobs)
        + ". Stop them, with a savepoint where their state counts, and start them again after the"
        + " upgrade; or let both specs have high availability and the same Flink version.";
  }

  private static String named(List<String> jobs) {
    String first = String.join(", ", jobs.subList(0, Math.min(NAMED, jobs.size())));
    return jobs.size() <= NAMED ? first : first + " and %d more".formatted(jobs.size() - NAMED);
  }

  /** As after a failure of the JobManager: only the same version of Flink reads what it wrote. */
  private static boolean mayComeBack(Observation seen, Target target) {
    return seen.cluster().highAvailability() != HighAvailability.OFF
        && target.options().highAvailability()
        && seen.deployed() != null
        && Objects.equals(seen.deployed().flinkVersion(), target.flinkVersion());
  }

  /**
   * Of a JobManager that does not answer. Without high availability it forgets its jobs when it
   * ends; with it, the metadata has none, or they would be among those that were observed.
   */
  private static boolean noneCanRun(ClusterObservation cluster) {
    return !cluster.present()
        || cluster.jobManager() != JobManager.MAY_HAVE_RUN
        || cluster.highAvailability() != HighAvailability.OFF;
  }

  private static Decision proceed(Observation seen, JobsOnCluster jobs, String why) {
    return proceed(seen, new Plan.Restore.From(StateRef.Empty.SESSION), jobs, why);
  }

  private static Decision proceed(
      Observation seen, Plan.Restore restore, JobsOnCluster jobs, String why) {
    return new Proceed(
        new Plan(new Suspend.None(), restore, ReplaceSession.of(seen.cluster(), jobs), why));
  }

  private static Decision chosen(Observation seen, String annotation, Hold otherwise) {
    if (!annotation.trim().equals(EMPTY)) {
      return new Hold(
          otherwise.blocked(),
          otherwise.reason(),
          "sluice.dev/restore-from is '"
              + annotation.trim()
              + "', but a session cluster is not started from a state: 'empty' gives its jobs up. "
              + otherwise.why(),
          true);
    }
    return proceed(
        seen,
        new Plan.Restore.Chosen(
            new StateRef.Empty("chosen with sluice.dev/restore-from"), annotation),
        JobsOnCluster.END,
        "sluice.dev/restore-from is 'empty': jobs on the cluster are given up.");
  }
}
