package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

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

  /** The names of metrics that are called so, or end so after a dot. */
  static List<String> names(JsonNode answer, String name) {
    List<String> names = new ArrayList<>();
    for (JsonNode metric : answer) {
      String id = metric.path("id").asText();
      if (id.equals(name) || id.endsWith("." + name)) {
        names.add(id);
      }
    }
    return List.copyOf(names);
  }

  /**
   * The highest of these values.
   *
   * @param field where each stands
   */
  static OptionalDouble highest(JsonNode answer, String field) {
    OptionalDouble highest = OptionalDouble.empty();
    for (JsonNode metric : answer) {
      OptionalDouble value = number(metric.path(field).asText());
      highest = higher(highest, value);
    }
    return highest;
  }

  /** The higher one of those that are there. */
  static OptionalDouble higher(OptionalDouble one, OptionalDouble other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalDouble.of(Math.max(one.getAsDouble(), other.getAsDouble()));
  }

  private static OptionalDouble number(String text) {
    try {
      double value = Double.parseDouble(text);
      return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException noNumber) {
      return OptionalDouble.empty();
    }
  }
}
