package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.operation.Step;
import org.jspecify.annotations.Nullable;

/** What a transition does next: one step, after which everything is looked at again. */
sealed interface BlueGreenDecision {

  /** In words, for people. */
  String why();

  /**
   * There is nothing to do.
   *
   * @param givenUp whether that is because the newest spec was given up
   */
  record Nothing(boolean givenUp, String why) implements BlueGreenDecision {}

  /** The newest spec is not valid, and nothing is under way. */
  record Invalid(String why) implements BlueGreenDecision {}

  /**
   * Begin a transition.
   *
   * @param to the child that comes
   * @param source where the state of its job comes from
   * @param known with {@link Source#KNOWN}: the path
   */
  record Begin(Color to, Source source, @Nullable String known, String why)
      implements BlueGreenDecision {}

  /**
   * Take a savepoint of the live job.
   *
   * @param live uid of its child
   * @param untilMs when that is given up
   */
  record TakeSavepoint(String live, long untilMs, String why) implements BlueGreenDecision {}

  /**
   * Stop the live job, with a savepoint where the new one needs that.
   *
   * @param live uid of its child
   * @param untilMs when that is given up
   */
  record StopLive(String live, long untilMs, String why) implements BlueGreenDecision {}

  /** Have the live job run again, from where it was stopped: no new one may be there. */
  record ResumeLive(Color child, String seen, String why) implements BlueGreenDecision {}

  /**
   * Write the newest template as that child.
   *
   * @param generation that it is written for
   * @param seen its uid; null when it does not exist
   */
  record Apply(Color child, long generation, @Nullable String seen, String why)
      implements BlueGreenDecision {}

  /**
   * Wait until the child has reached its spec.
   *
   * @param untilMs when to look again at the latest; null: there is no limit
   */
  record Await(Color child, String seen, @Nullable Long untilMs, String why)
      implements BlueGreenDecision {}

  /**
   * Wait until the new job is through the gates.
   *
   * @param untilMs when that is given up
   */
  record PassGates(Color child, String seen, long untilMs, String why)
      implements BlueGreenDecision {}

  /**
   * Make that child live.
   *
   * @param back whether it is the old one, because the transition is given up
   */
  record Switch(Color child, boolean back, String why) implements BlueGreenDecision {}

  /** Wait until the Ingress points at that child, which is live. */
  record AwaitIngress(Color child, String seen, String why) implements BlueGreenDecision {}

  /**
   * Keep the old child.
   *
   * @param untilMs when to look again
   */
  record Delay(long untilMs, String why) implements BlueGreenDecision {}

  /** Have that child, which is given up, suspend its job. */
  record Suspend(Color child, String seen, String why) implements BlueGreenDecision {}

  /** Delete that child. */
  record Delete(Color child, String seen, String why) implements BlueGreenDecision {}

  /** How an end is meant. */
  enum Outcome {
    /** The spec is reached. */
    REACHED,
    /** It is given up, and not tried again by itself. */
    GIVEN_UP,
    /** A newer spec, which needs no new child, takes its place. */
    REPLACED
  }

  /**
   * The transition, or the change in place, has ended.
   *
   * @param generation of the spec that is reached or given up
   */
  record End(Outcome outcome, long generation, String why) implements BlueGreenDecision {}

  /**
   * The transition cannot succeed: the new child is put away from now on.
   *
   * @param reason a documented constant
   */
  record GiveUp(String reason, String why) implements BlueGreenDecision {}

  /** It was asked to give up, and cannot any more: the transition goes on. */
  record TooLate(String why) implements BlueGreenDecision {}

  /**
   * Nothing can be done now.
   *
   * @param at the step that waits
   * @param blocked true when the cause may pass by itself, false when action is required
   * @param reason a documented constant
   * @param offersRestoreFrom whether the user may choose what to start from
   */
  record Hold(Step at, boolean blocked, String reason, String why, boolean offersRestoreFrom)
      implements BlueGreenDecision {}
}
