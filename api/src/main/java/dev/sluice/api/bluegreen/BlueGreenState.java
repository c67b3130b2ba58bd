package dev.sluice.api.bluegreen;

import dev.sluice.api.deployment.FlinkDeployment;
import java.util.Optional;
import java.util.function.Function;

/** Which child is live, or comes: the states of Apache's operator. */
public enum BlueGreenState {
  /** The first deployment goes on. */
  INITIALIZING_BLUE,
  /** Blue is live. */
  ACTIVE_BLUE,
  /** Green is live. */
  ACTIVE_GREEN,
  /** Blue is live, and a savepoint of it is being taken. */
  SAVEPOINTING_BLUE,
  /** Green is live, and a savepoint of it is being taken. */
  SAVEPOINTING_GREEN,
  /** Green is live, and blue comes. */
  TRANSITIONING_TO_BLUE,
  /** Blue is live, and green comes. */
  TRANSITIONING_TO_GREEN;

  /** The child that is live, as Apache's operator means it; empty while the first one comes. */
  public Optional<Color> live() {
    return switch (this) {
      case ACTIVE_BLUE, SAVEPOINTING_BLUE, TRANSITIONING_TO_GREEN -> Optional.of(Color.BLUE);
      case ACTIVE_GREEN, SAVEPOINTING_GREEN, TRANSITIONING_TO_BLUE -> Optional.of(Color.GREEN);
      case INITIALIZING_BLUE -> Optional.empty();
    };
  }

  /**
   * The same where Apache's operator was stopped in the middle, and the children have to tell the
   * rest: it calls a first deployment, and a change of the live child in place, a transition to
   * that very child. A real one begins only while the other child is ready, and one that was given
   * up leaves its child suspended.
   *
   * @param children that exist
   */
  public Optional<Color> live(Function<Color, Optional<FlinkDeployment>> children) {
    return live().map(from -> isTransitioning() && isInPlace(from, children) ? from.other() : from);
  }

  private static boolean isInPlace(
      Color from, Function<Color, Optional<FlinkDeployment>> children) {
    boolean runs =
        children
            .apply(from)
            .filter(child -> child.getMetadata().getDeletionTimestamp() == null)
            .map(child -> child.getSpec().job())
            .filter(job -> !job.isSuspended())
            .isPresent();
    return !runs && children.apply(from.other()).isPresent();
  }

  /** Whether a child comes, or, as Apache's operator says it, is changed. */
  public boolean isTransitioning() {
    return this == TRANSITIONING_TO_BLUE || this == TRANSITIONING_TO_GREEN;
  }

  /** That child is live, and no transition goes on. */
  public static BlueGreenState active(Color live) {
    return live == Color.BLUE ? ACTIVE_BLUE : ACTIVE_GREEN;
  }

  /** That child is live, and a savepoint of it is being taken. */
  public static BlueGreenState savepointing(Color live) {
    return live == Color.BLUE ? SAVEPOINTING_BLUE : SAVEPOINTING_GREEN;
  }

  /** That child comes, and the other one is not gone yet. */
  public static BlueGreenState transitioning(Color to) {
    return to == Color.BLUE ? TRANSITIONING_TO_BLUE : TRANSITIONING_TO_GREEN;
  }
}
