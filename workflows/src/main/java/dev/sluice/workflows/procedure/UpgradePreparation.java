package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.LeavingPlanner;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.Plan.Suspend;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What comes between the freeze and the end of the job, and changes nothing: the jar of a session
 * job is fetched, the FlinkSessionJobs of a session cluster suspend their jobs. So it may last, and
 * whatever is asked for ends it.
 */
final class UpgradePreparation {

  /** For so long an activity of a run that was lost may still act, and Flink not tell of it. */
  private static final Duration OF_RUN_BEFORE = Duration.ofSeconds(30);

  private final OperationContext context;
  private final StepRunner steps;
  private final Holding holding;
  private final Supplier<Observation> look;
  private final JobPlace place;

  /**
   * @param look observes once
   */
  UpgradePreparation(
      OperationContext context, StepRunner steps, Holding holding, Supplier<Observation> look) {
    this.context = context;
    this.steps = steps;
    this.holding = holding;
    this.look = look;
    this.place = JobPlace.of(context, steps);
  }

  /** The step that follows the freeze. */
  Step step(Plan plan, boolean suspended) {
    return fetches(plan, suspended) ? Step.CHECK_JAR : JobSuspension.step(plan);
  }

  /** How long that may take, as people are told; null when it is short, or has no end. */
  @Nullable Duration limit(Plan plan, boolean suspended, Observation seen) {
    return fetches(plan, suspended) ? null : JobSuspension.limit(plan, seen);
  }

  private boolean fetches(Plan plan, boolean suspended) {
    return !suspended && plan.suspend().mayEndJob() && place.fetchesJar();
  }

  /**
   * Whether the plan can be carried out. Otherwise it has to be decided again.
   *
   * @param seen what the plan rests on
   * @param inDoubt an earlier run may have begun to stop the job
   */
  boolean isDone(Frozen target, Plan plan, Observation seen, boolean inDoubt) {
    if (plan.suspend() instanceof Suspend.SessionJobs) {
      return haveLeft(seen);
    }
    if (!fetches(plan, target.target().suspended())) {
      return true;
    }
    if (!isFetched(target, seen, inDoubt) || hasEndedMeanwhile(seen)) {
      return false;
    }
    tellStop(target, plan, seen);
    return true;
  }

  private boolean hasEndedMeanwhile(Observation seen) {
    return seen.job() instanceof Alive
        && LeavingPlanner.isAsked(seen)
        && look.get().job() instanceof Ended;
  }

  /**
   * Whether a job that only leaves its cluster had nothing left to do when it was stopped.
   *
   * @param taken what is left of it; null when it was not stopped
   * @param planned what the plan rests on
   */
  boolean hasFinishedBefore(@Nullable TakenState taken, Observation planned) {
    return taken != null
        && taken.state() instanceof StateRef.Empty
        && place.fetchesJar()
        && LeavingPlanner.isAsked(planned)
        && LeavingPlanner.ended(look.get(), true) != null;
  }

  /** That the jar could not be fetched, or is being fetched, is over. */
  private void tellStop(Frozen target, Plan plan, Observation seen) {
    Step next = JobSuspension.step(plan);
    String told = context.reaching(target.target().generation()) + ". " + plan.why();
    if (steps.tellsHoldAt(Step.CHECK_JAR)) {
      steps.goesOnUntold(next, told);
    }
    if (!steps.tellsHoldAt(next)) {
      Duration limit = Objects.requireNonNull(JobSuspension.limit(plan, seen));
      steps.report(
          context
              .report(OperationState.RUNNING, next, null, told, null)
              .withDeadline(context.in(limit)));
    }
  }

  private boolean haveLeft(Observation seen) {
    // what was decided on it is decided: a choice that comes later needs a retry of its own
    holding.retryAnswered();
    boolean left = new SessionJobsWait(context, steps, seen.cluster().ref()).await();
    if (!left) {
      holding.retryAskedMeanwhile();
    }
    return left;
  }

  /** An abort that meets a job of which it is not known is answered once the job is stopped. */
  private boolean isFetched(Frozen target, Observation seen, boolean inDoubt) {
    context.signals().holdAbort(false);
    try {
      return fetch(target, seen);
    } catch (InterruptedRun left) {
      context.signals().holdAbort(inDoubt);
      if (!inDoubt || !(left.interrupt() instanceof Interrupt.Abort) || isUntouched()) {
        throw left;
      }
      context.done(
          "An earlier run may have begun to stop the job: it goes back once it is stopped");
      return true;
    } finally {
      context.signals().holdAbort(inDoubt);
    }
  }

  private boolean fetch(Frozen target, Observation seen) {
    try {
      place.prepare(target);
      return true;
    } catch (ActivityFailure failure) {
      holding.afterFailure(Step.CHECK_JAR, steps.failure(failure), false, seen);
      return false;
    }
  }

  /** Whether Flink says that nobody has begun to stop the job, also no run before this one. */
  private boolean isUntouched() {
    long soonestMs = Workflow.getInfo().getRunStartedTimestampMillis() + OF_RUN_BEFORE.toMillis();
    Duration pause = Duration.ofMillis(soonestMs - Workflow.currentTimeMillis());
    if (!pause.isNegative()) {
      Workflow.sleep(pause);
    }
    Observation now = look.get();
    return now.recorded() == null
        && now.begun()
        && Objects.equals(now.cluster().generation(), now.stableGeneration())
        && now.job() instanceof Alive job
        && job.isUp()
        && !job.times().beingStopped();
  }
}
