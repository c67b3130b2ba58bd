package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.ObserveRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.deployment.Outcome.Again;
import dev.sluice.workflows.deployment.Outcome.Failed;
import dev.sluice.workflows.deployment.Outcome.Reached;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Beside;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Plan.Teardown;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a job, and its cluster if it has one, by that of the frozen target, from a state that is
 * recorded: the old one goes completely before the new one is made, and the job must say that it
 * restored what it was given.
 */
final class ClusterReplacement {

  private static final String UP = "Every task is up; waiting until the job is stable";

  private final OperationContext context;
  private final StepRunner steps;
  private final AutomaticRollback automatic;
  private final JobPlace place;
  private List<String> toComeBack = List.of();
  private @Nullable String toldUp;
  private boolean notStable;

  /**
   * @param automatic is told how far the job has come
   */
  ClusterReplacement(
      OperationContext context, StepRunner steps, JobPlace place, AutomaticRollback automatic) {
    this.context = context;
    this.steps = steps;
    this.automatic = automatic;
    this.place = place;
  }

  /**
   * Removes what was seen, and waits until nothing of it runs.
   *
   * @param from what the next job starts from: the metadata stays if it is that
   * @param jobEnded Flink was asked to end the job that was seen
   */
  void tearDown(Observation seen, Teardown teardown, StateRef from, boolean jobEnded) {
    toldUp = null; // a job that goes on from its metadata keeps its id
    if (teardown instanceof Teardown.ReplaceSession session) {
      tearDownSession(seen.cluster().ref(), session);
    } else if (teardown instanceof Teardown.Replace replace) {
      place.tearDown(seen, replace, from, jobEnded);
    }
  }

  private void tearDownSession(ClusterRef cluster, Teardown.ReplaceSession replace) {
    boolean back = replace.jobs() == JobsOnCluster.COME_BACK;
    toComeBack = replace.back();
    steps.runToCompletion(
        Step.DELETE_CLUSTER,
        "Delete the old session cluster%s; wait until no pod is left"
            .formatted(back ? ", keep its high-availability metadata" : ""),
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.deleteCluster(
              new DeleteClusterRequest(
                  context.resource(),
                  cluster,
                  Set.of(replace.jobId()),
                  replace.generation(),
                  null,
                  null,
                  false,
                  null,
                  replace.jobs(),
                  deadline));
          return true;
        });
    context.done("No cluster and no pod is left");
  }

  /**
   * Waits until the new job is up, and stable if more is asked for; then marks the target stable. A
   * session cluster is stable when its JobManager answers.
   *
   * @param seen what was observed last
   * @return {@link Again} when it was not stable for too long, and a retry is requested
   * @throws dev.sluice.workflows.operation.InterruptedRun when something is asked for meanwhile
   */
  Outcome await(Frozen target, JobRef job, StateRef from, Observation seen, Ending ending) {
    automatic.starts(target, job);
    Step step = place.startStep();
    try {
      long deadline = place.awaitStart(target, job, from, seen, automatic::countsAnew);
      if (target.target().session()) {
        markStable(target, job, ending, missingJobs());
        return new Reached(target);
      }
      step = Step.AWAIT_RUNNING;
      RunningJob running =
          steps.awaitInterruptibly(
              step,
              from instanceof StateRef.Empty
                  ? "Wait until every task is up"
                  : "Wait until every task is up, then check what was restored",
              deadline,
              JobActivities.class,
              a ->
                  a.awaitRunning(new AwaitRunningRequest(context.resource(), job, from, deadline)));
      String restored =
          running.restoredFrom() == null ? "" : ", restored from " + running.restoredFrom();
      context.done("Every task is up (" + running.tasks() + ")" + restored);
      if (ending.provesItself() && target.stableAfter() != null) {
        step = Step.AWAIT_STABLE;
        if (!awaitStable(target, job, target.stableAfter())) {
          return new Again();
        }
      }
    } catch (ActivityFailure failure) {
      StepFailure why = steps.failure(failure);
      if (step == Step.AWAIT_STABLE) {
        automatic.countsAnew();
      }
      notStable = why.type().equals(FailureType.NOT_STABLE);
      return new Failed(step, why, false, true);
    }
    markStable(target, job, ending, "");
    return new Reached(target);
  }

  /** False when a retry is requested while the status offers one. */
  private boolean awaitStable(Frozen target, JobRef job, StableAfter wanted) {
    long start = target.readinessTimeoutMs();
    long deadline = context.in(Duration.ofMillis(AwaitStableRequest.patienceMs(wanted, start)));
    if (!job.jobId().equals(toldUp)) {
      steps.goesOnUntold(Step.AWAIT_STABLE, UP);
      recordUp(job, deadline);
      toldUp = job.jobId();
    } else if (!notStable) {
      steps.goesOn(Step.AWAIT_STABLE, UP);
    }
    Optional<StableJob> stable =
        steps.awaitAtLength(
            Step.AWAIT_STABLE,
            "Wait until the job is stable",
            deadline,
            JobActivities.class,
            a ->
                a.awaitStable(
                    new AwaitStableRequest(context.resource(), job, wanted, start, deadline)));
    stable.ifPresent(it -> context.done("The job is stable: " + it.why()));
    return stable.isPresent();
  }

  /** From now on the recorded state may be older than what the job has, whoever carries on. */
  private void recordUp(JobRef job, long deadline) {
    OperationReport up =
        context
            .report(OperationState.RUNNING, Step.AWAIT_STABLE, null, UP, null)
            .withUpJob(job.jobId())
            .withDeadlineMs(deadline);
    steps.run(
        Step.REPORT,
        "Record that every task of job " + job.jobId() + " is up",
        ResourceActivities.class,
        a -> {
          a.report(up);
          return true;
        });
  }

  /** Which jobs of the session cluster before are not on this one; empty when all are. */
  private String missingJobs() {
    if (toComeBack.isEmpty()) {
      return "";
    }
    Observation seen =
        steps.run(
            Step.AWAIT_JOB_MANAGER,
            "Look whether the jobs have come back",
            ResourceActivities.class,
            a -> a.observe(new ObserveRequest(context.resource(), 0)));
    List<String> missing =
        toComeBack.stream().filter(it -> !seen.otherJobs().contains(it)).toList();
    if (missing.isEmpty()) {
      context.done("All jobs are back: " + toComeBack.size());
      return "";
    }
    String told =
        "Jobs that ran before are not on the new cluster, unless they have ended by themselves: %s. See the log of the JobManager"
            .formatted(JobsOnCluster.named(missing));
    context.done(told);
    steps.report(
        context.report(
            OperationState.RUNNING,
            Step.AWAIT_JOB_MANAGER,
            null,
            told,
            EventReasons.JOBS_NOT_BACK));
    return ". " + told;
  }

  private void markStable(Frozen target, JobRef job, Ending ending, String missing) {
    long generation = target.target().generation();
    String message =
        "Generation %d is deployed: %s%s%s"
            .formatted(generation, target.summary(), ending.because(), missing);
    mark(
        "Mark generation " + generation + " as stable",
        new StableRequest(
            context.report(OperationState.SUCCEEDED, Step.MARK_STABLE, null, message, null),
            job.jobId()));
    context.done("Generation " + generation + " is stable");
  }

  /**
   * Marks a target as reached that runs no job.
   *
   * @param left what the job that is resumed later starts from; null when none ever ran
   */
  void markSuspended(Frozen target, @Nullable StateRef left, Ending ending) {
    long generation = target.target().generation();
    String message =
        "Generation %d is suspended; %s"
                .formatted(
                    generation,
                    left == null ? "no job ever ran" : "a resume starts from " + left.display())
            + ending.because();
    mark(
        "Mark generation " + generation + " as suspended",
        new StableRequest(
            context.report(
                OperationState.SUCCEEDED, Step.MARK_STABLE, null, message, EventReasons.SUSPENDED),
            null));
    context.done(message);
  }

  private void mark(String summary, StableRequest request) {
    Beside.join();
    steps.run(
        Step.MARK_STABLE,
        summary,
        ResourceActivities.class,
        a -> {
          a.markStable(request);
          return true;
        });
  }
}
