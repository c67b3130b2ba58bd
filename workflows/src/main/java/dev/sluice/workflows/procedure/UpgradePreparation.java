package dev.sluice.workflows.procedure;

import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.LeavingPlanner;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.Plan.Suspend;
import io.temporal.failure.ActivityFailure;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What comes between the freeze and the end of the job, and changes nothing: the jar of a session
 * job is fetched, the FlinkSessionJobs of a session cluster suspend their jobs. So it may last, and
 * whatever is asked for ends it.
 */
final class UpgradePreparation {

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
  Step step(Plan plan, boolean suspended, Observation seen) {
    return fetches(plan, suspended, seen) ? Step.CHECK_JAR : JobSuspension.step(plan);
  }

  /** Whether a jar is fetched before the job is stopped: not where its stop was begun before. */
  boolean fetches(Plan plan, boolean suspended, Observation seen) {
    return !suspended
        && seen.pendingStop() == null
        && plan.suspend().mayEndJob()
        && place.fetchesJar();
  }

  /**
   * Whether the plan can be carried out. Otherwise it has to be decided again.
   *
   * @param seen what the plan rests on
   */
  boolean isDone(Frozen target, Plan plan, Observation seen) {
    if (plan.suspend() instanceof Suspend.SessionJobs) {
      return haveLeft(seen);
    }
    return !fetches(plan, target.target().suspended(), seen)
        || (fetch(target, seen) && !hasEndedMeanwhile(seen));
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
        && LeavingPlanner.ended(look.get()) != null;
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

  private boolean fetch(Frozen target, Observation seen) {
    try {
      place.prepare(target);
      return true;
    } catch (ActivityFailure failure) {
      holding.afterFailure(Step.CHECK_JAR, steps.failure(failure), false, seen);
      return false;
    }
  }
}
