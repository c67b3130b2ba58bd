package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.OperationConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The four conditions of a FlinkBlueGreenDeployment, always in the same order. What is said of jobs
 * is what the children say of themselves.
 */
final class BlueGreenConditions {

  private final SeenBlueGreen seen;
  private final ConditionHistory history;
  private final OperationConditions common;

  BlueGreenConditions(SeenBlueGreen seen, ReconcileAction decision, ConditionHistory history) {
    this.seen = seen;
    this.history = history;
    this.common = new OperationConditions(seen, decision, history);
  }

  List<Condition> all() {
    return common.all(this::settled, this::heldOtherwise, running());
  }

  private Condition settled() {
    Color live = seen.live().orElse(null);
    if (live == null) {
      return history.kept(ConditionTypes.READY, Reasons.PENDING, "No child is live yet.");
    }
    ShownChild child = seen.observed().children().shown(live).orElse(null);
    if (child == null || !child.hasJob()) {
      return common.ready(
          ConditionStatus.FALSE,
          Reasons.JOB_NOT_RUNNING,
          child == null
              ? "%s is live and does not exist any more.".formatted(ColorWords.child(seen, live))
              : "%s is live and its FlinkSessionJob does not exist any more."
                  .formatted(ColorWords.child(seen, live)));
    }
    Condition said = ColorWords.newest(child.main(), ConditionTypes.READY).orElse(null);
    if (said == null) {
      return history.kept(
          ConditionTypes.READY,
          Reasons.PENDING,
          "%s was not looked at yet.".formatted(ColorWords.child(seen, live)));
    }
    ConditionStatus status = ColorWords.status(said);
    String standing = ColorWords.live(seen, live);
    String edited = ColorWords.edited(seen);
    String message =
        status == ConditionStatus.TRUE
            ? "Generation %d is reached. %s%s"
                .formatted(seen.generation(), standing, well(said.getReason()))
            : "%s: %s".formatted(standing, said.getMessage());
    return common.ready(
        status, said.getReason(), edited.isEmpty() ? message : message + " " + edited);
  }

  /** Its own message names its own generation, which would be taken for the parent's. */
  private static String well(String reason) {
    return switch (reason) {
      case Reasons.SUSPENDED -> "; its job is suspended.";
      case Reasons.JOB_FINISHED -> "; its job has finished.";
      default -> "; all tasks of its job run.";
    };
  }

  /** In addition to specs and operations: what holds a child up, and the Ingress. */
  private Condition heldOtherwise() {
    Optional<Condition> child =
        Stream.of(
                held(seen.coming(), ""),
                held(seen.live(), ""),
                held(seen.other(), ", which is not live"))
            .flatMap(Optional::stream)
            .findFirst();
    if (child.isPresent()) {
      return child.get();
    }
    InPlaceOutcome.Problem problem = seen.observed().ingress().problem();
    return problem == null
        ? common.notStalled()
        : common.stalled(problem.reason(), problem.message());
  }

  /** Also one that is not live may run, if it does not suspend its job. */
  private Optional<Condition> held(Optional<Color> color, String which) {
    boolean needed = seen.phase() == ResourcePhase.SETTLED || seen.phase().inFlight();
    return color
        .filter(it -> needed && seen.phase() != ResourcePhase.DELETING)
        .flatMap(
            it ->
                seen.observed()
                    .children()
                    .shown(it)
                    .flatMap(BlueGreenConditions::held)
                    .map(
                        held ->
                            common.stalled(
                                held.getReason(),
                                "%s%s: %s"
                                    .formatted(
                                        ColorWords.child(seen, it), which, held.getMessage()))));
  }

  /** What any of its resources is held by. */
  private static Optional<Condition> held(ShownChild child) {
    return child
        .parts()
        .flatMap(it -> ColorWords.newest(it, ConditionTypes.STALLED).stream())
        .filter(it -> ColorWords.status(it) == ConditionStatus.TRUE)
        .findFirst();
  }

  private Condition running() {
    Color shown = seen.live().or(seen::coming).orElse(null);
    if (shown == null) {
      return common.running(
          ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, "There is no child, and so no job.");
    }
    Optional<ShownChild> child = seen.observed().children().shown(shown);
    if (child.isEmpty()) {
      return common.running(
          ConditionStatus.FALSE,
          Reasons.JOB_NOT_RUNNING,
          "%s does not exist.".formatted(ColorWords.child(seen, shown)));
    }
    return child
        .flatMap(it -> it.main().status().condition(ConditionTypes.RUNNING))
        .map(
            said ->
                common.running(
                    ColorWords.status(said),
                    said.getReason(),
                    ColorWords.child(seen, shown) + ": " + said.getMessage()))
        .orElseGet(
            () ->
                common.running(
                    ConditionStatus.UNKNOWN,
                    Reasons.PENDING,
                    "%s was not looked at yet.".formatted(ColorWords.child(seen, shown))));
  }
}
