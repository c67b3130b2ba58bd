package dev.sluice.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes conditions that remember when their status flipped last.
 *
 * @param now RFC 3339, seconds
 */
record ConditionHistory(Function<String, Optional<Condition>> before, long generation, String now) {

  static ConditionHistory of(
      Function<String, Optional<Condition>> before, long generation, Instant now) {
    return new ConditionHistory(before, generation, now.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  Condition condition(String type, Truth truth, String reason, String message) {
    Optional<Condition> old = before.apply(type);
    return new ConditionBuilder()
        .withType(type)
        .withStatus(truth.wire())
        .withReason(reason)
        .withMessage(message)
        .withObservedGeneration(generation)
        .withLastTransitionTime(
            old.filter(c -> truth.wire().equals(c.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElse(now))
        .build();
  }

  /** The condition as it stands, for the generation of now; unknown when there is none yet. */
  Condition kept(String type, String reasonIfNone, String messageIfNone) {
    return before
        .apply(type)
        .map(old -> new ConditionBuilder(old).withObservedGeneration(generation).build())
        .orElseGet(() -> condition(type, Truth.UNKNOWN, reasonIfNone, messageIfNone));
  }

  /** The three values of a condition. */
  enum Truth {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String wire;

    Truth(String wire) {
      this.wire = wire;
    }

    String wire() {
      return wire;
    }

    static Truth of(boolean value) {
      return value ? TRUE : FALSE;
    }
  }
}
