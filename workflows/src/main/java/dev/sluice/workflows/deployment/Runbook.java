package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.operation.StepRunner.doing;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishActivities.PublishRequest;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.deployment.Outcome.Again;
import dev.sluice.workflows.deployment.Outcome.Failed;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.ParallelEffects;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.StaySuspended;
import dev.sluice.workflows.plan.LeavingPlanner;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import dev.sluice.workflows.plan.UpgradePlanner;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what was planned: freeze, stop, record, delete, create, await, mark stable. Each line
 * only where the plan has it. A step that fails is returned; what is asked for is left to at the
 * safe points.
 */
final class Runbook {

  private static final Duration OUTDATED_PAUSE = Duration.ofSeconds(1);

  private final LaneRun run;
  private final OperationContext context;
  private final StepRunner steps;
  private final JobPlace place;
  private final JobStop jobStop;
  private final NewJob newJob;

  Runbook(LaneRun run, AutomaticRollback automatic) {
    this.run = run;
    this.context = run.context;
    this.steps = run.steps;
    this.place = JobPlace.of(run);
    this.jobStop = new JobStop(run);
    this.newJob = new NewJob(run, place, automatic);
  }

  /** What comes once a job of the target was started. */
  NewJob newJob() {
    return newJob;
  }

  /** Where the job of the resource runs. */
  JobPlace place() {
    return place;
  }

  /**
   * The whole runbook: the job that is there goes, that of the target comes.
   *
   * @param proves the new job is waited for until it is stable, not only up: not in a recovery,
   *     whose spec was stable before, and whose tries are counted
   */
  Outcome carryOut(Observation seen, Target target, Plan plan, boolean proves) {
    context.safePoint();
    boolean fetches = fetchesJar(plan, target, seen);
    PendingStop stop = jobStop.stop(plan, seen, run.stopsAnew());
    PendingStop stopFrozen = fetches ? null : stop;
    Standing standing =
        already(seen, target) != null
            ? seen.standing()
            : seen.standing().freezing(target.generation(), seen.recorded() != null, stopFrozen);
    FreezeResult result =
        freeze(
            seen,
            target,
            fetches ? Step.CHECK_JAR : JobStop.step(plan),
            plan.why(),
            fetches ? null : JobStop.limit(plan, seen),
            stopFrozen);
    if (!(result instanceof Frozen frozen)) {
      return notFrozen(result, seen);
    }
    Outcome unprepared = prepare(frozen, plan, seen, fetches);
    if (unprepared != null) {
      return unprepared;
    }
    if (stop != null && !stop.equals(standing.pendingStop())) {
      beginStop(frozen, plan, seen, stop, standing);
      standing = standing.stopping(stop);
    }
    leaveBeforeStop(seen, standing);
    return replace(seen, frozen, plan, stop, standing, proves);
  }

  /** The job is stopped, its state recorded, and the next one started from that. */
  private Outcome replace(
      Observation seen,
      Frozen frozen,
      Plan plan,
      @Nullable PendingStop stop,
      Standing standing,
      boolean proves) {
    TakenState taken;
    boolean endsJob = plan.suspend().endedJob() != null;
    try {
      context.signals().holdAbort(!canGoBack(seen, endsJob));
      taken = jobStop.carryOut(plan, seen, stop);
    } catch (ActivityFailure failure) {
      return notStopped(plan, failure, standing);
    }
    if (hasFinishedBefore(taken, seen)) {
      return new Again();
    }
    StateRef from = JobStop.restored(plan, taken);
    if (!from.isKnown()) {
      StepFailure unknown = new StepFailure(FailureType.STATE_NOT_FOUND, from.display(), false);
      return new Failed(JobStop.step(plan), unknown, true, false);
    }
    RestorePoint recorded = JobStop.restorePoint(plan, taken, seen, from, nextJobId(seen));
    record(
        recorded,
        plan.restore() instanceof Plan.Restore.Chosen it ? it.annotation() : null,
        standing,
        told(frozen, plan),
        taken == null ? null : taken.savepoint());
    context.safePoint();
    tearDown(seen, plan.teardown(), from, endsJob);
    context.safePoint();
    if (frozen.target().suspended()) {
      return newJob.isSuspended(frozen, recorded.state());
    }
    JobRef job = new JobRef(seen.cluster().ref(), recorded.startedJob());
    place.create(frozen, job, recorded.state());
    return newJob.await(frozen, job, recorded.state(), seen, proves);
  }

  /** Of a target whose job was started before: it is only waited for. */
  Outcome awaitStarted(Observation seen, Target target, AwaitStarted started, boolean proves) {
    context.safePoint();
    Frozen frozen = run.frozen(target.generation());
    if (frozen == null) {
      FreezeResult result =
          freeze(seen, target, Step.AWAIT_RUNNING, started.why(), null, seen.pendingStop());
      if (!(result instanceof Frozen it)) {
        return notFrozen(result, seen);
      }
      frozen = it;
    }
    JobRef job = new JobRef(seen.cluster().ref(), started.jobId());
    return newJob.await(frozen, job, started.restoredFrom(), seen, proves);
  }

  /** Of a target that runs no job, where none is left: only the spec changes. */
  Outcome staySuspended(Observation seen, Target target, StaySuspended stays) {
    context.safePoint();
    FreezeResult result =
        freeze(seen, target, Step.MARK_STABLE, stays.why(), null, seen.pendingStop());
    return result instanceof Frozen frozen
        ? newJob.isSuspended(frozen, stays.left())
        : notFrozen(result, seen);
  }

  // ---- freeze ----

  /**
   * Freezes the target, unless this run has done so before; so it takes over what was begun.
   *
   * @param next the step that follows, for the status
   * @param why what the plan says
   * @param limit of that step; null when it is short
   * @param stop the stop of the job that follows at once, or is pending; null for none
   */
  FreezeResult freeze(
      Observation seen,
      Target target,
      Step next,
      String why,
      @Nullable Duration limit,
      @Nullable PendingStop stop) {
    long generation = target.generation();
    String told = context.reaching(generation) + ". " + why;
    Frozen already = already(seen, target);
    if (already != null) {
      if (next == Step.SUSPEND_SESSION_JOBS) {
        // the FlinkSessionJobs go by the step that the status has
        run.tell(next, told);
      }
      return already;
    }
    FreezeResult result =
        steps.run(
            Step.FREEZE_TARGET,
            "Freeze generation " + generation + ". " + why,
            ResourceActivities.class,
            a ->
                a.freezeTarget(
                    new FreezeRequest(
                        context.resource(),
                        context.run(),
                        generation,
                        seen.stableGeneration(),
                        seen.recorded() != null,
                        stop,
                        next.title(),
                        told,
                        limit == null ? null : context.in(limit),
                        seen.standing())));
    if (result instanceof Frozen frozen) {
      run.frozen(frozen);
      context.done(
          "Generation %d frozen (%s). %s"
              .formatted(
                  generation,
                  frozen.summary(),
                  frozen.warning() == null ? why : why + ". " + frozen.warning()));
    }
    return result;
  }

  /** What this run has frozen, if it is the target; else null. */
  private @Nullable Frozen already(Observation seen, Target target) {
    return seen.begun()
            && seen.frozen() != null
            && seen.frozen().generation() == target.generation()
        ? run.frozen(target.generation())
        : null;
  }

  /**
   * The newest spec has changed, or is not valid. A rule that the observation found kept passes by
   * itself: the worker that observed has another default configuration than the one that froze.
   */
  Outcome notFrozen(FreezeResult result, Observation seen) {
    if (result instanceof FreezeResult.Invalid invalid) {
      boolean mayPass = invalid.byRule() && seen.newest().problem() == null;
      return new Failed(
          Step.FREEZE_TARGET, new StepFailure(Reasons.INVALID_SPEC, invalid.problem(), mayPass));
    }
    Workflow.sleep(OUTDATED_PAUSE);
    return new Again();
  }

  // ---- between the freeze and the end of the job ----

  /** A jar is fetched before the job is stopped for it: not where its stop was begun before. */
  private boolean fetchesJar(Plan plan, Target target, Observation seen) {
    return !target.suspended()
        && seen.pendingStop() == null
        && plan.suspend().endedJob() != null
        && place.fetchesJar();
  }

  /**
   * What changes nothing, so that it may last, and whatever is asked for ends it. Null when the
   * plan can be carried out.
   */
  private @Nullable Outcome prepare(Frozen frozen, Plan plan, Observation seen, boolean fetches) {
    if (plan.suspend().how() == How.SESSION_JOBS) {
      // what was decided on it is decided: a choice that comes later needs a retry of its own
      run.retry(false);
      if (new SessionClusterWait(run, seen.cluster().ref()).awaitSuspended()) {
        return null;
      }
      run.retry(true);
      return new Again();
    }
    if (!fetches) {
      return null;
    }
    try {
      place.prepare(frozen);
    } catch (ActivityFailure failure) {
      return new Failed(Step.CHECK_JAR, steps.failure(failure));
    }
    boolean mayHaveEnded = seen.job() instanceof Alive && LeavingPlanner.isAsked(seen);
    return mayHaveEnded && run.look().job() instanceof Ended ? new Again() : null;
  }

  /** Whether a job that only leaves its cluster had nothing left to do when it was stopped. */
  private boolean hasFinishedBefore(@Nullable TakenState taken, Observation planned) {
    return taken != null
        && taken.state() instanceof StateRef.Empty
        && place.fetchesJar()
        && LeavingPlanner.isAsked(planned)
        && LeavingPlanner.ended(run.look()) != null;
  }

  private String told(Frozen frozen, Plan plan) {
    return context.reaching(frozen.target().generation()) + ". " + plan.why();
  }

  /** Writes that the job is about to be stopped, before Flink is asked for it. */
  private void beginStop(
      Frozen frozen, Plan plan, Observation seen, PendingStop stop, Standing standing) {
    Step next = JobStop.step(plan);
    String message = told(frozen, plan);
    Duration limit = Objects.requireNonNull(JobStop.limit(plan, seen));
    if (steps.tellsHoldAt(Step.CHECK_JAR)) {
      steps.goesOnUntold(next, message);
    }
    recordStop(
        "Record the stop of job " + stop.jobId(),
        stop,
        steps.tellsHoldAt(next)
            ? null
            : context
                .report(OperationState.RUNNING, next, null, message, null)
                .withDeadlineMs(context.in(limit)),
        standing);
  }

  /** The last safe point before Flink is asked to stop the job. */
  private void leaveBeforeStop(Observation seen, Standing standing) {
    try {
      context.safePoint();
    } catch (InterruptedRun left) {
      if (seen.pendingStop() == null && standing.pendingStop() != null) {
        recordStop("Record that the job is not stopped", null, null, standing);
      }
      throw left;
    }
  }

  private Outcome notStopped(Plan plan, ActivityFailure failure, Standing standing) {
    StepFailure why = steps.failure(failure);
    boolean stateLost = why.type().equals(FailureType.STATE_NOT_FOUND);
    String job = plan.suspend().jobId();
    if (stateLost && job != null && plan.suspend().how() == How.CANCEL_AND_KEEP_CHECKPOINT) {
      run.lost(job);
    } else if (stateLost) {
      run.stopFailed(why.type());
    } else if (why.type().equals(FailureType.SAVEPOINT_FAILED)) {
      recordStop("Record that the job was not stopped", null, null, standing);
      run.stopFailed(why.type());
    }
    return new Failed(JobStop.step(plan), why, stateLost, false);
  }

  private void recordStop(
      String summary,
      @Nullable PendingStop stop,
      @Nullable OperationReport report,
      Standing standing) {
    steps.run(
        Step.RECORD_STOP,
        summary,
        ResourceActivities.class,
        doing(
            a -> a.recordStop(new RecordStopRequest(context.resource(), stop, report, standing))));
  }

  // ---- record ----

  /**
   * Records the state to go on from: from then on the old cluster may go.
   *
   * @param usedRestoreFrom the annotation value that decided; null when none did
   * @param plannedFor how the status stood when this was decided
   * @param plan what is being done and why; null when nothing was decided since the freeze
   * @param taken the savepoint that the job was stopped with; null when none was taken
   */
  void record(
      RestorePoint recorded,
      @Nullable String usedRestoreFrom,
      Standing plannedFor,
      @Nullable String plan,
      @Nullable Savepoint taken) {
    String message = "Recorded " + recorded.state().display();
    steps.run(
        Step.RECORD_STATE,
        message,
        ResourceActivities.class,
        doing(
            a ->
                a.recordState(
                    new RecordStateRequest(
                        context.resource(),
                        recorded,
                        place.endStep().title(),
                        message,
                        context.in(StepLimits.GONE),
                        usedRestoreFrom,
                        plannedFor,
                        plan))));
    publish(context, taken);
    run.recorded();
    context.state(recorded.state());
    context.signals().holdAbort(false);
    context.done(message);
  }

  /**
   * The cluster goes, if it is the one that was seen; that state is kept of its job.
   *
   * @param jobEnded Flink was asked to end its job
   */
  void tearDown(Observation seen, Plan.Teardown teardown, StateRef kept, boolean jobEnded) {
    newJob.replacesAnother();
    place.tearDown(seen, teardown, kept, jobEnded);
  }

  /** Next to the steps that follow: nothing waits for it. */
  static void publish(OperationContext context, @Nullable Savepoint taken) {
    if (taken != null) {
      ParallelEffects.begin(
          "Publish savepoint " + taken.location(),
          PublishActivities.class,
          a -> a.publish(new PublishRequest(context.resource(), taken)));
    }
  }

  /**
   * The id of the job that replaces what was seen: the same again when the run is reset, unless
   * something was started since. An id is never used for two jobs, and those of a rollback do not
   * meet those of the upgrade before it.
   */
  String nextJobId(Observation seen) {
    return nextJobId(seen, seen.phase() == Phase.ROLLING_BACK);
  }

  /**
   * The same.
   *
   * @param back of a rollback, also of one that is about to begin
   */
  String nextJobId(Observation seen, boolean back) {
    return Ids.after(
        Workflow.getInfo().getOriginalExecutionRunId(),
        back ? "rollback-job" : "job",
        seen.newestJobId());
  }

  /**
   * Whether an abort has something safe to go back to.
   *
   * @param stops the job is about to be stopped
   */
  static boolean canGoBack(Observation seen, boolean stops) {
    return (seen.pendingStop() == null && !stops)
        || seen.recorded() != null
        || seen.stableGeneration() == null
        || UpgradePlanner.keepsSession(seen);
  }
}
