package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.status.ChangeEvents;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The events that a change of the status gives rise to; those of jobs are on the children. */
final class BlueGreenEvents {

  private BlueGreenEvents() {}

  /**
   * What there is to tell once.
   *
   * @param after the status that replaces the one that was seen
   */
  static List<StatusEvent> of(SeenBlueGreen seen, FlinkBlueGreenDeploymentStatus after) {
    ChangeEvents change = new ChangeEvents(seen, new BlueGreenStatusView(after));
    return Stream.of(
            change.spec().stream(),
            change.operation().stream(),
            ingress(seen, change),
            edited(seen),
            seen.requests().events().stream())
        .flatMap(Function.identity())
        .toList();
  }

  /** Once for each change of that: the condition says it as long as it is so. */
  private static Stream<StatusEvent> edited(SeenBlueGreen seen) {
    String edited = ColorWords.edited(seen);
    boolean told =
        seen.blueGreen()
            .condition(ConditionTypes.READY)
            .filter(it -> it.getMessage().contains(edited))
            .isPresent();
    return edited.isEmpty() || told
        ? Stream.empty()
        : Stream.of(StatusEvent.warning(EventReasons.CHILD_EDITED, edited));
  }

  private static Stream<StatusEvent> ingress(SeenBlueGreen seen, ChangeEvents change) {
    InPlaceOutcome.Problem problem = seen.observed().ingress().problem();
    return problem != null && change.appears(ConditionTypes.STALLED, problem.reason(), true)
        ? Stream.of(StatusEvent.warning(problem.reason(), problem.message()))
        : Stream.empty();
  }
}
