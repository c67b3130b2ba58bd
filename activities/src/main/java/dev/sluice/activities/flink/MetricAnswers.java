package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads what Flink says of metrics: a list, in which one that the job does not have is left out.
 */
final class MetricAnswers {

  private MetricAnswers() {}

  /** Counters by their names; what is no whole number is left out. */
  static Map<String, Long> values(JsonNode answer) {
    Map<String, Long> values = new HashMap<>();
    for (JsonNode metric : answer) {
      String value = metric.path("value").asText();
      if (value.matches("-?\\d{1,18}")) {
        values.put(metric.path("id").asText(), Long.parseLong(value));
      }
    }
    return Map.copyOf(values);
  }
}
