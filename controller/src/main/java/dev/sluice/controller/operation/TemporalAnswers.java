package dev.sluice.controller.operation;

import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answers of Temporal in one reconciliation. Before the first call it is what the status says;
 * nothing else is remembered of Temporal.
 *
 * @param answers to the requests that were sent
 * @param unavailable why the last call failed, without a full stop; null when it did not
 */
public record TemporalAnswers(Map<Request, Answer> answers, @Nullable String unavailable) {

  /** Nothing was sent, and nothing has failed. */
  public static final TemporalAnswers NOTHING = new TemporalAnswers(Map.of(), null);

  public TemporalAnswers {
    answers = Map.copyOf(answers);
  }

  /**
   * The state before the first call.
   *
   * @param conditions of the status, by their types
   */
  public static TemporalAnswers of(Function<String, Optional<Condition>> conditions) {
    return conditions
        .apply(ConditionTypes.PROGRESSING)
        .filter(it -> Reasons.TEMPORAL_UNAVAILABLE.equals(it.getReason()))
        .map(it -> new TemporalAnswers(Map.of(), it.getMessage().replaceFirst("\\.$", "")))
        .orElse(NOTHING);
  }

  /** A call was answered. */
  static TemporalAnswers answered(@Nullable Request request, @Nullable Answer answer) {
    return request == null || answer == null
        ? NOTHING
        : new TemporalAnswers(Map.of(request, answer), null);
  }

  /** What became of a request. */
  public enum Answer {
    /** It is in the history of an open run. */
    DELIVERED,
    /** No run was open, and none was to be. */
    NOT_OPEN,
    /** The operation was started again for it. */
    STARTED
  }
}
