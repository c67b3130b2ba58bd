package dev.sluice.activities.bluegreen;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionSource;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The workflow's part of the status of a FlinkBlueGreenDeployment. Pure. */
final class BlueGreenStatus {

  private BlueGreenStatus() {}

  /** The same, as far as it tells that without the children. */
  static BlueGreenStanding standing(FlinkBlueGreenDeploymentStatus status) {
    return standing(status, color -> Optional.empty());
  }

  /**
   * What it says of live and coming child, also where Apache's operator has written it.
   *
   * @param children of this parent that exist; asked only where the status does not say all
   */
  static BlueGreenStanding standing(
      FlinkBlueGreenDeploymentStatus status, Function<Color, Optional<FlinkDeployment>> children) {
    FrozenBlueGreen reached = reached(status);
    GivenUp givenUp = status.givenUp();
    return new BlueGreenStanding(
        live(status, children),
        begun(status.transition()),
        reached == null ? 0 : reached.generation(),
        givenUp == null ? 0 : Objects.requireNonNullElse(givenUp.generation(), 0L));
  }

  /** The last spec that was reached; null when none was, or it cannot be read. */
  static @Nullable FrozenBlueGreen reached(FlinkBlueGreenDeploymentStatus status) {
    try {
      return status.lastReconciled();
    } catch (IllegalArgumentException unreadable) {
      return null; // written by hand, or by an operator that is newer
    }
  }

  private static @Nullable Color live(
      FlinkBlueGreenDeploymentStatus status, Function<Color, Optional<FlinkDeployment>> children) {
    LiveChild live = status.live();
    if (live != null && live.color() != null) {
      return live.color();
    }
    BlueGreenState state = status.blueGreenState();
    return state == null || status.transition() != null ? null : state.live(children).orElse(null);
  }

  /** Whether Apache's operator was stopped where only the children tell which one is live. */
  private static boolean isLeftToChildren(FlinkBlueGreenDeploymentStatus status) {
    BlueGreenState state = status.blueGreenState();
    return status.live() == null
        && status.transition() == null
        && state != null
        && state.isTransitioning();
  }

  /**
   * What a child says of itself; of the live one that has lost the annotation the status says what
   * it was made for.
   */
  static ChildSeen noted(ChildSeen child, FlinkBlueGreenDeploymentStatus status) {
    LiveChild live = status.live();
    return live == null
            || live.color() != child.color()
            || live.generation() == null
            || child.madeFor() != 0
        ? child
        : child.withMadeFor(live.generation());
  }

  private static BlueGreenStanding.@Nullable Begun begun(@Nullable TransitionStatus transition) {
    Color to = transition == null ? null : transition.to();
    return transition == null || to == null
        ? null
        : new BlueGreenStanding.Begun(
            to,
            Objects.requireNonNullElse(transition.generation(), 0L),
            Objects.requireNonNullElse(WrittenTime.millis(transition.since()), 0L),
            source(transition.source()),
            transition.savepointPath(),
            WrittenTime.millis(transition.switchedAt()),
            transition.cutOver() == CutOver.EXACTLY_ONCE
                ? new BlueGreenStanding.Cut(
                    WrittenTime.millis(transition.stoppingAt()),
                    WrittenTime.millis(transition.suspendedAt()))
                : null);
  }

  /** Without a word a path is needed: no job starts empty because somebody edited the status. */
  private static Source source(@Nullable TransitionSource source) {
    return source == null
        ? Source.SAVEPOINT
        : switch (source) {
          case SAVEPOINT -> Source.SAVEPOINT;
          case KNOWN -> Source.KNOWN;
          case SPEC -> Source.SPEC;
          case EMPTY -> Source.EMPTY;
        };
  }

  /** The same in the status. */
  static TransitionSource source(Source source) {
    return switch (source) {
      case SAVEPOINT -> TransitionSource.SAVEPOINT;
      case KNOWN -> TransitionSource.KNOWN;
      case SPEC -> TransitionSource.SPEC;
      case EMPTY -> TransitionSource.EMPTY;
    };
  }

  /** Whether no child would see a difference to the spec that the transition was begun with. */
  static boolean hasTemplateOfTransition(FlinkBlueGreenDeployment parent) {
    TransitionStatus transition = parent.getStatus().transition();
    return transition != null && parent.getSpec().template().hash().equals(transition.template());
  }

  /** The workflow's part as it is to stand while nothing changes but the grace period. */
  static FlinkBlueGreenDeploymentStatus underNewestSpec(FlinkBlueGreenDeployment parent) {
    FlinkBlueGreenDeploymentStatus status = owned(parent.getStatus());
    BlueGreenStanding.Begun begun = begun(status.transition());
    return begun == null || begun.switchedMs() != null
        ? status
        : status.withAbortTimestamp(abortAt(begun.sinceMs(), parent));
  }

  /** When a transition that began then is over, RFC 3339. */
  static String abortAt(long sinceMs, FlinkBlueGreenDeployment parent) {
    return text(sinceMs + new WantedTemplate(parent).options().grace().toMillis());
  }

  /** The fields that are the workflow's, and no others. */
  static FlinkBlueGreenDeploymentStatus owned(FlinkBlueGreenDeploymentStatus status) {
    return FlinkBlueGreenDeploymentStatus.EMPTY
        .withBlueGreenState(status.blueGreenState())
        .withLastReconciledSpec(status.lastReconciledSpec())
        .withLastReconciledTimestamp(status.lastReconciledTimestamp())
        .withAbortTimestamp(status.abortTimestamp())
        .withDeploymentReadyTimestamp(status.deploymentReadyTimestamp())
        .withSavepointTriggerId(status.savepointTriggerId())
        .withLive(status.live())
        .withTransition(status.transition())
        .withGivenUp(status.givenUp())
        .withOperation(status.operation());
  }

  /**
   * Whether it stands as something was planned for. Where the children have to tell which one is
   * live, that is what was seen then.
   *
   * @throws ApplicationFailure {@code Outdated} when it does not
   */
  static void check(FlinkBlueGreenDeploymentStatus status, BlueGreenStanding plannedFor) {
    BlueGreenStanding now = standing(status);
    check(
        isLeftToChildren(status) && plannedFor.live() != null
            ? new BlueGreenStanding(
                plannedFor.live(), now.transition(), now.reached(), now.givenUp())
            : now,
        plannedFor);
  }

  /** The same, of how things stand by status and children. */
  static void check(BlueGreenStanding now, BlueGreenStanding plannedFor) {
    if (!now.equals(plannedFor)) {
      throw outdated("the status says %s, which this was not planned for".formatted(words(now)));
    }
  }

  private static String words(BlueGreenStanding standing) {
    BlueGreenStanding.Begun transition = standing.transition();
    return (standing.live() == null ? "that no child is live" : standing.live() + " is live")
        + (transition == null
            ? ""
            : " and %s comes for generation %d%s"
                .formatted(
                    transition.to(),
                    transition.generation(),
                    transition.switchedMs() == null ? "" : ", to which it was switched"))
        + ", generation %d was reached, %d was given up"
            .formatted(standing.reached(), standing.givenUp());
  }

  /** The failure after which a workflow observes and plans again. */
  static ApplicationFailure outdated(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureType.OUTDATED);
  }

  /** RFC 3339. */
  static String text(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }
}
