package dev.sluice.workflows.operation;

import dev.sluice.api.condition.Reasons;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a run from being busy that looks, decides and does one step again and again. A retry from
 * before a pause does not shorten it: none was offered.
 */
public final class Rounds {

  private static final Duration BEFORE_THE_SAME_AGAIN = Duration.ofSeconds(1);
  private static final int OUTDATED_AT_ONCE = 3;

  private final OperationContext context;
  private final StepRunner steps;
  private @Nullable Object last;
  private @Nullable String outdated;
  private int outdatedInARow;

  public Rounds(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
  }

  /** A step was made for what is not there any more. */
  public void outdated(OutdatedStep step) {
    outdated = String.valueOf(step.getMessage());
  }

  /**
   * Before a look. A run that was reset remembers less than the status says; outdated three times
   * in a row is a reason to hold.
   */
  public void look(Consumer<StepFailure> hold) {
    String why = outdated;
    outdated = null;
    if (why == null) {
      return;
    }
    outdatedInARow++;
    context.done("Looking again: " + why);
    if (outdatedInARow < OUTDATED_AT_ONCE) {
      pause("What was seen has changed");
    } else {
      hold.accept(new StepFailure(Reasons.BLOCKED, why, true));
    }
  }

  /**
   * Before a decision is carried out: a wait that ends at once, and is decided again, pauses.
   *
   * @param pauses whether it is itself a pause
   */
  public void carryOut(Object decision, String why, boolean pauses) {
    boolean same = decision.equals(last) && !pauses;
    last = same ? null : decision;
    if (same) {
      pause("Nothing has changed (" + why + ")");
    }
  }

  /** What was decided is done. */
  public void carriedOut() {
    outdatedInARow = 0;
  }

  private void pause(String why) {
    context.signals().forgetRetry();
    boolean unused =
        steps.pause(
            Step.OBSERVE, why + "; looking again in 1 s", context.in(BEFORE_THE_SAME_AGAIN));
  }
}
