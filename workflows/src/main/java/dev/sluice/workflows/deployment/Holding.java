package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.deployment.Outcome.Failed;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.plan.GoalPlanner;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.GoalPlanner.Wanted;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Why the run does not go on: what its last attempt failed with. What may pass is tried again after
 * a pause, anything else once another plan is made. A retry tries at once.
 */
final class Holding {

  private final LaneRun run;
  private final GoalPlanner planner;
  private final AutomaticRollback automatic;
  private final JobEnd jobEnd;
  private final Consumer<String> giveUp;
  private @Nullable Failed last;
  private @Nullable Object since;

  /**
   * @param giveUp is told why an upgrade is rolled back by itself, instead of being held
   */
  Holding(
      LaneRun run,
      GoalPlanner planner,
      AutomaticRollback automatic,
      JobEnd jobEnd,
      Consumer<String> giveUp) {
    this.run = run;
    this.planner = planner;
    this.automatic = automatic;
    this.jobEnd = jobEnd;
    this.giveUp = giveUp;
  }

  /** An attempt failed: what follows depends on the next observation. Null: it is forgotten. */
  void failed(@Nullable Failed attempt) {
    last = attempt;
    since = null;
  }

  /** Whether the last attempt failed, and that is still so: then the run was held once more. */
  boolean isHeld(Wanted wanted, Observation seen) {
    Failed it = last;
    if (it == null) {
      return false;
    }
    if (since == null && !isRefuted(it, seen)) {
      hold(wanted, seen, it, !it.why().mayPass());
      return true;
    }
    if (since != null && essence(wanted, seen).equals(since)) {
      pause(it, true);
      return true;
    }
    if (since != null) {
      run.steps.goesOn(it.step(), "Continuing: the observed state has changed");
    }
    last = null;
    return false;
  }

  /** What would be decided if nothing changed any more, and nobody requested a retry. */
  private Object essence(Wanted wanted, Observation seen) {
    Tried tried = run.tried().withRetry(false).withPatient(true);
    return planner.plan(wanted, seen, tried).decision().essence(seen);
  }

  /** Whether the job has come up, or has finished, in the last moment: silence is no proof. */
  private static boolean isRefuted(Failed it, Observation seen) {
    return it.ofNewJob()
        && switch (it.why().type()) {
          case FailureType.CLUSTER_NOT_READY -> seen.job() instanceof Alive alive && alive.isUp();
          case FailureType.NOT_STABLE ->
              seen.job() instanceof Ended ended && ended.state() == FlinkJobState.FINISHED;
          default -> false;
        };
  }

  /**
   * Holds the run once, or has the operation given up.
   *
   * @param untilChanged it is not tried again by itself before something has changed
   */
  void hold(Wanted wanted, Observation seen, Failed it, boolean untilChanged) {
    if (!it.ofNewJob()) {
      begin(wanted, seen, it, untilChanged);
      return;
    }
    StepFailure why = automatic.told(it.why(), seen);
    String due = wanted == Wanted.NEWEST ? automatic.dueFor(why, seen) : null;
    if (due != null) {
      giveUp.accept(due);
    } else if (why.mayPass()) {
      begin(wanted, seen, it.because(why), false);
    } else {
      StepFailure told = jobEnd.preventRerun(seen, why);
      begin(wanted, told.equals(why) ? seen : run.look(), it.because(told), untilChanged);
    }
  }

  private void begin(Wanted wanted, Observation seen, Failed it, boolean untilChanged) {
    last = it;
    since = essence(wanted, seen);
    pause(it, untilChanged);
  }

  private void pause(Failed it, boolean untilChanged) {
    run.hold(it.step(), it.why(), it.offersRestoreFrom());
    if (run.retry() || !untilChanged) {
      last = null;
    }
  }
}
