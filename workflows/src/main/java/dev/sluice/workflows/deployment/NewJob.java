package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.operation.StepRunner.doing;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.deployment.Outcome.Again;
import dev.sluice.workflows.deployment.Outcome.Failed;
import dev.sluice.workflows.deployment.Outcome.Reached;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.ParallelEffects;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the job of the target, or its session cluster: until it is there, says that it restored
 * what it was given, and is stable.
 */
final class NewJob {

  private static final String UP = "Every task is up; waiting until the job is stable";

  private final LaneRun run;
  private final OperationContext context;
  private final StepRunner steps;
  private final AutomaticRollback automatic;
  private final JobPlace place;
  private @Nullable String toldUp;
  private boolean notStable;

  /**
   * @param automatic is told how far the job has come
   */
  NewJob(LaneRun run, JobPlace place, AutomaticRollback automatic) {
    this.run = run;
    this.context = run.context;
    this.steps = run.steps;
    this.automatic = automatic;
    this.place = place;
  }

  /** Also where it keeps its id, because it goes on from its metadata. */
  void replacesAnother() {
    toldUp = null;
  }

  /**
   * Waits until the new job is up, and stable if more is asked for; then marks the target stable. A
   * session cluster is stable when its JobManager answers.
   *
   * @param seen what was observed last
   * @return {@link Again} when it was not stable for too long, and a retry is requested
   * @throws dev.sluice.workflows.operation.InterruptedRun when something is asked for meanwhile
   */
  Outcome await(Frozen target, JobRef job, StateRef from, Observation seen, boolean proves) {
    automatic.starts(target, job);
    Step step = place.startStep();
    try {
      long deadline = place.awaitStart(target, job, from, seen, automatic::countsAnew);
      if (!target.target().session()) {
        step = Step.AWAIT_RUNNING;
        awaitRunning(job, from, deadline);
        if (proves && target.stableAfter() != null) {
          step = Step.AWAIT_STABLE;
          if (!awaitStable(target, job, target.stableAfter())) {
            run.retry(true);
            return new Again();
          }
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
    return isStable(target, job, false);
  }

  /**
   * Marks the target stable: that job runs as it says.
   *
   * @param inPlace it is the job of the spec before, which was never stopped
   */
  Reached isStable(Frozen target, JobRef job, boolean inPlace) {
    String message =
        "Generation %d is deployed: %s".formatted(target.target().generation(), target.summary());
    return reached(target, message, null, job.jobId(), inPlace);
  }

  /**
   * Marks a target as reached that runs no job.
   *
   * @param left what the job that is resumed later starts from; null when none ever ran
   */
  Reached isSuspended(Frozen target, @Nullable StateRef left) {
    String message =
        "Generation %d is suspended; %s"
            .formatted(
                target.target().generation(),
                left == null ? "no job ever ran" : "a resume starts from " + left.display());
    return reached(target, message, EventReasons.SUSPENDED, null, false);
  }

  private Reached reached(
      Frozen target,
      String message,
      @Nullable String event,
      @Nullable String jobId,
      boolean inPlace) {
    OperationReport report =
        context.report(
            OperationState.SUCCEEDED, Step.MARK_STABLE, null, message + run.givenUp(), event);
    ParallelEffects.join();
    steps.run(
        Step.MARK_STABLE,
        "Mark generation " + target.target().generation() + " as stable",
        ResourceActivities.class,
        doing(a -> a.markStable(new StableRequest(report, jobId, inPlace))));
    context.done(message);
    return new Reached(target);
  }

  private void awaitRunning(JobRef job, StateRef from, long deadline) {
    RunningJob running =
        steps.awaitInterruptibly(
            Step.AWAIT_RUNNING,
            "Wait until every task is up, then check what was restored",
            deadline,
            JobActivities.class,
            a -> a.awaitRunning(new AwaitRunningRequest(context.resource(), job, from, deadline)));
    String restored =
        running.restoredFrom() == null ? "" : ", restored from " + running.restoredFrom();
    context.done("Every task is up (" + running.tasks() + ")" + restored);
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
        doing(a -> a.report(up)));
  }
}
