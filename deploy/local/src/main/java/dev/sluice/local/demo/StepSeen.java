package dev.sluice.local.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step of a run, as its history tells it: an activity, from the time it was asked for to its end.
 *
 * @param name the activity's type, such as {@code StopWithSavepoint}
 * @param summary what it does
 * @param began when it was asked for
 * @param ended null while it is in flight
 * @param failed whether it ended without success
 */
public record StepSeen(
    String name, String summary, Instant began, @Nullable Instant ended, boolean failed) {

  /**
   * The steps of a run, in order.
   *
   * @param history a {@code GetWorkflowExecutionHistoryResponse}
   */
  static List<StepSeen> all(JsonNode history) {
    Map<String, StepSeen> steps = new LinkedHashMap<>();
    for (JsonNode event : history.at("/history/events")) {
      Instant time = Instant.parse(event.path("eventTime").asText());
      String type = event.path("eventType").asText();
      if (type.equals("EVENT_TYPE_ACTIVITY_TASK_SCHEDULED")) {
        String name = event.at("/activityTaskScheduledEventAttributes/activityType/name").asText();
        String summary = event.at("/userMetadata/summary").asText(name);
        steps.put(event.path("eventId").asText(), new StepSeen(name, summary, time, null, false));
      } else if (isEnd(type)) {
        steps.computeIfPresent(scheduledBy(event), (id, step) -> step.endedAt(time, type));
      }
    }
    return new ArrayList<>(steps.values());
  }

  /** How long it took, or has taken so far. */
  public Duration took(Instant now) {
    return Duration.between(began, ended == null ? now : ended);
  }

  private StepSeen endedAt(Instant time, String type) {
    return new StepSeen(name, summary, began, time, !type.endsWith("_COMPLETED"));
  }

  private static boolean isEnd(String type) {
    return type.matches("EVENT_TYPE_ACTIVITY_TASK_(COMPLETED|FAILED|TIMED_OUT|CANCELED)");
  }

  /** The attributes have another name in each type of event; each has this field. */
  private static String scheduledBy(JsonNode event) {
    return event.findPath("scheduledEventId").asText();
  }
}
