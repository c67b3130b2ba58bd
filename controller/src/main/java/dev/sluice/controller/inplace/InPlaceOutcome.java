package dev.sluice.controller.inplace;

import dev.sluice.controller.common.StatusEvent;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What came of something that is changed in place.
 *
 * @param problem why it is not as the spec says, if that needs action; null when all is well or may
 *     become well by itself
 * @param events what has just happened
 * @param review when to look again if nothing happens before; null when not
 */
public record InPlaceOutcome(
    @Nullable Problem problem, List<StatusEvent> events, @Nullable Duration review) {

  public InPlaceOutcome {
    events = List.copyOf(events);
  }

  /** It is as it should be, and was before. */
  public static final InPlaceOutcome DONE = new InPlaceOutcome(null, List.of(), null);

  /**
   * @param reason one of {@link dev.sluice.api.condition.Reasons}
   * @param message with what to do
   */
  public record Problem(String reason, String message) {}

  /** Both; of two problems the first one is told. */
  public InPlaceOutcome and(InPlaceOutcome other) {
    return new InPlaceOutcome(
        problem == null ? other.problem : problem,
        Stream.concat(events.stream(), other.events.stream()).toList(),
        Stream.of(this, other)
            .map(InPlaceOutcome::review)
            .flatMap(it -> Stream.ofNullable(it))
            .min(Duration::compareTo)
            .orElse(null));
  }

  static InPlaceOutcome changed(StatusEvent event) {
    return new InPlaceOutcome(null, List.of(event), null);
  }

  static InPlaceOutcome later(Duration after) {
    return new InPlaceOutcome(null, List.of(), after);
  }

  static InPlaceOutcome later(Duration after, StatusEvent event) {
    return new InPlaceOutcome(null, List.of(event), after);
  }

  static InPlaceOutcome held(String reason, String message, Duration review) {
    return new InPlaceOutcome(new Problem(reason, message), List.of(), review);
  }
}
