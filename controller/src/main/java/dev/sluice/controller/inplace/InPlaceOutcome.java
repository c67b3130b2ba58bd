package dev.sluice.controller.inplace;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Result of a change in place.
 *
 * @param problem why the object is not as the spec says, if that needs action; null when there is
 *     none, or when it may pass by itself
 * @param events what has just happened
 * @param review when to reconcile again if nothing happens before; null when that is not needed
 */
public record InPlaceOutcome(
    @Nullable Problem problem, List<StatusEvent> events, @Nullable Duration review) {

  private static final Duration WHILE_UNAVAILABLE = Duration.ofSeconds(5);
  private static final Duration WHILE_REFUSED = Duration.ofSeconds(30);

  public InPlaceOutcome {
    events = List.copyOf(events);
  }

  /** The object was as the spec says before. */
  public static final InPlaceOutcome DONE = new InPlaceOutcome(null, List.of(), null);

  /**
   * @param reason one of {@link Reasons}
   * @param message with what to do
   */
  public record Problem(String reason, String message) {}

  /** Both; of two problems the first one. */
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

  /**
   * Calls Kubernetes once. A failure becomes a problem or a review, so that the status is published
   * all the same.
   *
   * @param what as text: {@code scale Deployment orders-taskmanager}
   * @param refused message for a refusal; {@code %s} is what Kubernetes answers
   */
  static InPlaceOutcome of(String what, String refused, Supplier<InPlaceOutcome> call) {
    try {
      return KubernetesFailure.translate(what, call);
    } catch (ApplicationFailure failed) {
      return FailureType.REFUSED.equals(failed.getType())
          ? held(Reasons.REFUSED, refused.formatted(failed.getOriginalMessage()))
          : later();
    }
  }

  static InPlaceOutcome changed(StatusEvent event) {
    return new InPlaceOutcome(null, List.of(event), null);
  }

  /** The change is not possible now, but may be soon. */
  static InPlaceOutcome later() {
    return new InPlaceOutcome(null, List.of(), WHILE_UNAVAILABLE);
  }

  /** Somebody has to do something. */
  static InPlaceOutcome held(String reason, String message) {
    return new InPlaceOutcome(new Problem(reason, message), List.of(), WHILE_REFUSED);
  }
}
