package dev.sluice.workflows.walk;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.SessionModel;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.operation.OperationProgress.Held;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the person on call does about a run that is held, one thing after the other. */
final class Person {

  private static final int PATIENCE = 10;
  private static final int CALLS_UNTIL_THE_NEXT_LOOK = 4;

  /** One thing to do. */
  enum Reaction {
    /** Waits. */
    NOTHING,
    /** Removes the cause and lets the run find out. */
    HEAL,
    /** Removes the cause and says so. */
    HEAL_AND_RETRY,
    RETRY,
    ABORT,
    /** Asks for the first generation. */
    ROLL_BACK_TO_THE_FIRST,
    /** Applies a spec without a fault. */
    CORRECT,
    /** The same, and gives up what is under way before. */
    ABORT_AND_CORRECT,
    /** Names another savepoint for the first start. */
    CORRECT_START,
    /** The same, and gives up what is under way before. */
    ABORT_AND_CORRECT_START,
    /** Applies the last stable spec again. */
    REVERT,
    /** Chooses the newest state there is. */
    RESTORE_NEWEST,
    /** Chooses to start empty. */
    RESTORE_EMPTY,
    /** Says that a deletion ends the jobs on the session cluster. */
    END_JOBS,
    DELETE
  }

  private final Lane lane;
  private final List<Reaction> plan;
  private int reactions;

  Person(Lane lane, List<Reaction> plan) {
    this.lane = lane;
    this.plan = plan;
  }

  /**
   * Looks at what the run says of itself, does something about it when it is held, and looks again
   * some calls later.
   *
   * @param progress null when no run is open
   */
  void look(@Nullable OperationProgress progress) {
    Held held = progress == null ? null : progress.held();
    if (held != null) {
      lane.environment().note("HELD " + held);
      react(held);
    }
    lane.lookAgainAfter(CALLS_UNTIL_THE_NEXT_LOOK);
  }

  private void react(Held held) {
    if (++reactions > PATIENCE) {
      lane.environment()
          .invariants()
          .violated("does not come to rest: %s %s".formatted(held.reason(), held.message()));
      return;
    }
    Reaction reaction =
        mayHaveBeenStopped(held) && reactions > plan.size()
            ? savepointOfStop()
            : reactions <= plan.size() ? plan.get(reactions - 1) : sensible(held);
    lane.environment().effect("the user: " + reaction + " about " + held.reason());
    carryOut(reaction);
  }

  /** A retry alone gives up the savepoint that the job was stopped with. */
  private static boolean mayHaveBeenStopped(Held held) {
    return held.offersRestoreFrom() && held.message().contains("began the job again");
  }

  /** Looks into the savepoint directory. */
  private Reaction savepointOfStop() {
    String newest = lane.environment().invariants().newestPath();
    return newest != null && newest.contains("savepoint")
        ? Reaction.RESTORE_NEWEST
        : Reaction.RETRY;
  }

  private Reaction sensible(Held held) {
    int round = reactions - plan.size();
    if (round == 1) {
      return Reaction.HEAL_AND_RETRY;
    }
    if (held.offersRestoreFrom()) {
      return lane.environment().invariants().newestPath() == null
          ? Reaction.RESTORE_EMPTY
          : Reaction.RESTORE_NEWEST;
    }
    if (lane.environment().resource().deleting()) {
      return Reaction.END_JOBS;
    }
    boolean back = lane.environment().resource().stable() != null;
    return round == 2 && back ? Reaction.ABORT : Reaction.CORRECT;
  }

  private void carryOut(Reaction reaction) {
    Environment environment = lane.environment();
    switch (reaction) {
      case NOTHING -> {}
      case HEAL -> environment.heal();
      case HEAL_AND_RETRY -> {
        environment.heal();
        lane.signal(LaneSignals.RETRY);
      }
      case RETRY -> lane.signal(LaneSignals.RETRY);
      case ABORT -> lane.abort();
      case ROLL_BACK_TO_THE_FIRST -> lane.rollBack(1L);
      case CORRECT -> correct();
      case ABORT_AND_CORRECT -> {
        lane.abort();
        correct();
      }
      case CORRECT_START -> correctStart();
      case ABORT_AND_CORRECT_START -> {
        lane.abort();
        correctStart();
      }
      case REVERT -> lane.revert();
      case RESTORE_NEWEST -> restoreFrom(environment.invariants().newestPath());
      case RESTORE_EMPTY -> restoreFrom("empty");
      case END_JOBS ->
          environment
              .resource()
              .apply(Spec.of("corrected " + SessionModel.ENDS_JOBS, JobShape.HEALTHY));
      case DELETE -> lane.delete();
    }
  }

  private void correct() {
    lane.environment().heal();
    lane.applyAndTell(Spec.of("corrected " + reactions, JobShape.HEALTHY));
  }

  /** The defect of the job is that it cannot read what it is started from. */
  private void correctStart() {
    Environment environment = lane.environment();
    Spec newest = environment.resource().newest();
    lane.applyAndTell(
        Spec.of(newest.content(), newest.shape().starting(JobShape.Start.COMES_UP))
            .mode(newest.mode())
            .startingFrom(environment.savepointOfAnother(5)));
  }

  private void restoreFrom(String value) {
    lane.environment().resource().restoreFrom(value);
    lane.signal(LaneSignals.RETRY);
  }
}
