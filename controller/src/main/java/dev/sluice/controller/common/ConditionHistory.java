package dev.sluice.controller.common;

import dev.sluice.api.common.BoundedText;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes conditions that remember when their status changed last.
 *
 * @param before the conditions as they stand, by type
 * @param generation that the new conditions are about
 * @param now RFC 3339, seconds
 */
public record ConditionHistory(
    Function<String, Optional<Condition>> before, long generation, String now) {

  /** Longest message, in characters; the API's convention allows 32768. */
  private static final int LONGEST = 4096;

  /** A history that continues these conditions now. */
  public static ConditionHistory of(
      Function<String, Optional<Condition>> before, long generation, Instant now) {
    return new ConditionHistory(before, generation, now.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /** A condition; its transition time is that of the earlier one unless the status changes. */
  public Condition condition(String type, ConditionStatus status, String reason, String message) {
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status.wire())
        .withReason(reason)
        .withMessage(BoundedText.of(message, LONGEST))
        .withObservedGeneration(generation)
        .withLastTransitionTime(
            before
                .apply(type)
                .filter(old -> status.wire().equals(old.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElse(now))
        .build();
  }

  /** The condition as it stands if that is False, because it says why; else with this reason. */
  public Condition keptFalse(String type, String reason, String message) {
    return before
            .apply(type)
            .filter(it -> ConditionStatus.FALSE.wire().equals(it.getStatus()))
            .isPresent()
        ? kept(type, reason, message)
        : condition(type, ConditionStatus.FALSE, reason, message);
  }

  /** The condition as it stands, for the generation of now; unknown when there is none yet. */
  public Condition kept(String type, String reasonIfNone, String messageIfNone) {
    return before
        .apply(type)
        .map(old -> new ConditionBuilder(old).withObservedGeneration(generation).build())
        .orElseGet(() -> condition(type, ConditionStatus.UNKNOWN, reasonIfNone, messageIfNone));
  }
}
