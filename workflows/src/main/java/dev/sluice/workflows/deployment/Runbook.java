package dev.sluice.workflows.deployment;

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
import dev.sluice.workflows.deployment.Outcome.Reached;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Beside;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.StaySuspended;
import dev.sluice.workflows.plan.LeavingPlanner;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.Plan.Suspend;
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

  private final OperationContext context;
  private final StepRunner steps;
  private final ResourceLook look;
  private final RunMemory memory;
  private final JobPlace place;
  private final JobSuspension suspension;
  private final ClusterReplacement replacement;

  Runbook(
      OperationContext context,
      StepRunner steps,
      ResourceLook look,
      RunMemory memory,
      AutomaticRollback automatic) {
    this.context = context;
    this.steps = steps;
    this.look = look;
    this.memory = memory;
    this.place = JobPlace.of(context, steps);
    this.suspension = new JobSuspension(context, steps);
    this.replacement = new ClusterReplacement(context, steps, place, automatic);
  }

  /** Where the job of the resource runs. */
  JobPlace place() {
    return place;
  }

  /** The whole runbook: the job that is there goes, that of the target comes. */
  Outcome carryOut(Observation seen, Target target, Plan plan, Ending ending) {
    context.safePoint();
    boolean fetches = fetchesJar(plan, target, seen);
    PendingStop stop = suspension.stop(plan, seen, memory.stopsAnew());
    Standing standing = standingOnceFrozen(seen, target, fetches ? null : stop);
    FreezeResult result =
        freeze(
            seen,
            target,
            fetches ? Step.CHECK_JAR : JobSuspension.step(plan),
            plan.why(),
            fetches ? null : JobSuspension.limit(plan, seen),
            fetches ? null : stop);
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
    TakenState taken;
    try {
      context.signals().holdAbort(!canGoBack(seen, plan.suspend().mayEndJob()));
      taken = suspension.carryOut(plan, seen, stop);
    } catch (ActivityFailure failure) {
      return notStopped(plan, failure, standing);
    }
    if (hasFinishedBefore(taken, seen)) {
      return new Again();
    }
    StateRef from = JobSuspension.restored(plan, taken);
    if (!from.isKnown()) {
      StepFailure unknown = new StepFailure(FailureType.STATE_NOT_FOUND, from.display(), false);
      return new Failed(JobSuspension.step(plan), unknown, true);
    }
    RestorePoint recorded = JobSuspension.restorePoint(plan, taken, seen, from, nextJobId(seen));
    record(
        recorded,
        plan.restore() instanceof Plan.Restore.Chosen it ? it.annotation() : null,
        standing,
        told(frozen, plan),
        taken == null ? null : taken.savepoint());
    context.safePoint();
    replacement.tearDown(seen, plan.teardown(), from, plan.suspend().mayEndJob());
    context.safePoint();
    if (frozen.target().suspended()) {
      return suspended(frozen, recorded.state(), ending);
    }
    JobRef job = new JobRef(seen.cluster().ref(), recorded.startedJob());
    place.create(frozen, job, recorded.state());
    return await(frozen, job, recorded.state(), seen, ending);
  }

  /** Of a target whose job was started before: it is only waited for. */
  Outcome awaitStarted(Observation seen, Target target, AwaitStarted started, Ending ending) {
    context.safePoint();
    Frozen frozen = memory.frozen();
    if (frozen == null || frozen.target().generation() != target.generation()) {
      FreezeResult result =
          freeze(seen, target, Step.AWAIT_RUNNING, started.why(), null, seen.pendingStop());
      if (!(result instanceof Frozen it)) {
        return notFrozen(result, seen);
      }
      frozen = it;
    }
    JobRef job = new JobRef(seen.cluster().ref(), started.jobId());
    return await(frozen, job, started.restoredFrom(), seen, ending);
  }

  /** Of a target that runs no job, where none is left: only the spec changes. */
  Outcome staySuspended(Observation seen, Target target, StaySuspended stays, Ending ending) {
    context.safePoint();
    FreezeResult result =
        freeze(seen, target, Step.MARK_STABLE, stays.why(), null, seen.pendingStop());
    return result instanceof Frozen frozen
        ? suspended(frozen, stays.left(), ending)
        : notFrozen(result, seen);
  }

  private Outcome suspended(Frozen frozen, @Nullable StateRef left, Ending ending) {
    replacement.markSuspended(frozen, left, ending);
    return new Reached(frozen);
  }

  private Outcome await(Frozen frozen, JobRef job, StateRef from, Observation seen, Ending ending) {
    Outcome outcome = replacement.await(frozen, job, from, seen, ending);
    if (outcome instanceof Again) {
      memory.retry(true);
    }
    return outcome;
  }

  /**
   * Freezes the target, unless this run has done so before.
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
        steps.report(context.report(OperationState.RUNNING, next, null, told, null));
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
      memory.frozen(frozen);
      context.generations(seen.stableGeneration(), generation);
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
    Frozen frozen = memory.frozen();
    return frozen != null
            && frozen.target().generation() == target.generation()
            && seen.begun()
            && seen.frozen() != null
            && seen.frozen().generation() == target.generation()
        ? frozen
        : null;
  }

  private Standing standingOnceFrozen(Observation seen, Target target, @Nullable PendingStop stop) {
    return already(seen, target) != null
        ? seen.standing()
        : seen.standing().upgradingTo(target.generation(), seen.recorded() != null, stop);
  }

  /**
   * The newest spec has changed, or is not valid. A rule that the observation found kept passes by
   * itself: the worker that observed has another default configuration than the one that froze.
   */
  Outcome notFrozen(FreezeResult result, Observation seen) {
    if (result instanceof FreezeResult.Invalid invalid) {
      boolean mayPass = invalid.byRule() && seen.newest().problem() == null;
      return new Failed(
          Step.FREEZE_TARGET,
          new StepFailure(Reasons.INVALID_SPEC, invalid.problem(), mayPass),
          false);
    }
    Workflow.sleep(OUTDATED_PAUSE);
    return new Again();
  }

  /** A jar is fetched before the job is stopped for it: not where its stop was begun before. */
  private boolean fetchesJar(Plan plan, Target target, Observation seen) {
    return !target.suspended()
        && seen.pendingStop() == null
        && plan.suspend().mayEndJob()
        && place.fetchesJar();
  }

  /**
   * What comes between the freeze and the end of the job, and changes nothing: so it may last, and
   * whatever is asked for ends it. Null when the plan can be carried out.
   */
  private @Nullable Outcome prepare(Frozen frozen, Plan plan, Observation seen, boolean fetches) {
    if (plan.suspend() instanceof Suspend.SessionJobs) {
      // what was decided on it is decided: a choice that comes later needs a retry of its own
      memory.retry(false);
      if (new SessionClusterWait(context, steps, seen.cluster().ref()).awaitSuspended()) {
        return null;
      }
      memory.retry(true);
      return new Again();
    }
    if (!fetches) {
      return null;
    }
    try {
      place.prepare(frozen);
    } catch (ActivityFailure failure) {
      return new Failed(Step.CHECK_JAR, steps.failure(failure), false);
    }
    boolean mayHaveEnded = seen.job() instanceof Alive && LeavingPlanner.isAsked(seen);
    return mayHaveEnded && look.now().job() instanceof Ended ? new Again() : null;
  }

  /** Whether a job that only leaves its cluster had nothing left to do when it was stopped. */
  private boolean hasFinishedBefore(@Nullable TakenState taken, Observation planned) {
    return taken != null
        && taken.state() instanceof StateRef.Empty
        && place.fetchesJar()
        && LeavingPlanner.isAsked(planned)
        && LeavingPlanner.ended(look.now()) != null;
  }

  private String told(Frozen frozen, Plan plan) {
    return context.reaching(frozen.target().generation()) + ". " + plan.why();
  }

  /** Writes that the job is about to be stopped, before Flink is asked for it. */
  private void beginStop(
      Frozen frozen, Plan plan, Observation seen, PendingStop stop, Standing standing) {
    Step next = JobSuspension.step(plan);
    String message = told(frozen, plan);
    Duration limit = Objects.requireNonNull(JobSuspension.limit(plan, seen));
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
    if (why.type().equals(FailureType.SAVEPOINT_FAILED)) {
      recordStop("Record that the job was not stopped", null, null, standing);
      memory.stopFailed(why.type());
    } else if (stateLost && plan.suspend() instanceof Suspend.CancelAndKeepCheckpoint cancelled) {
      memory.lost(cancelled.jobId());
    } else if (stateLost) {
      memory.stopFailed(why.type());
    }
    return new Failed(JobSuspension.step(plan), why, stateLost);
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
        a -> {
          a.recordStop(new RecordStopRequest(context.resource(), stop, report, standing));
          return true;
        });
  }

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
    String what = recorded.state().display();
    steps.run(
        Step.RECORD_STATE,
        "Record " + what,
        ResourceActivities.class,
        a -> {
          a.recordState(
              new RecordStateRequest(
                  context.resource(),
                  recorded,
                  place.endStep().title(),
                  "Recorded " + what,
                  context.in(StepLimits.GONE),
                  usedRestoreFrom,
                  plannedFor,
                  plan));
          return true;
        });
    if (taken != null) {
      Beside.begin(
          "Publish " + what,
          PublishActivities.class,
          a -> a.publish(new PublishRequest(context.resource(), taken)));
    }
    memory.recorded();
    context.state(recorded.state());
    context.signals().holdAbort(false);
    context.done("Recorded " + what);
  }

  /** The cluster goes, if it is the one that was seen; that state is kept of its job. */
  void tearDown(Observation seen, Plan.Teardown how, StateRef kept) {
    replacement.tearDown(seen, how, kept, false);
  }

  /**
   * The id of the job that replaces what was seen: the same again when the run is reset, unless
   * something was started since. An id is never used for two jobs, and those of a rollback do not
   * meet those of the upgrade before it.
   */
  String nextJobId(Observation seen) {
    String purpose = seen.phase() == Phase.ROLLING_BACK ? "rollback-job" : "job";
    return nextJobId(seen, purpose);
  }

  /** The same of a rollback that is about to begin. */
  String rollbackJobId(Observation seen) {
    return nextJobId(seen, "rollback-job");
  }

  private static String nextJobId(Observation seen, String purpose) {
    return Ids.after(Workflow.getInfo().getOriginalExecutionRunId(), purpose, seen.newestJobId());
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
