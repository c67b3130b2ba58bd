package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.condition.Reasons;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects what the rules find in one resource. */
final class Report {
  private final List<Violation> violations = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();

  /** The field is invalid. */
  void add(String path, String message) {
    violations.add(new Violation(path, message));
  }

  /** The value of that key of the Flink configuration is invalid. */
  void addKey(String key, String message) {
    add(Subject.keyPath(key), message);
  }

  /** The field is valid for Flink and Apache's operator, but we cannot do it yet. */
  void notSupported(String path, String message) {
    notSupported(path, message, Reasons.NOT_SUPPORTED);
  }

  void notSupported(String path, String message, String reason) {
    violations.add(new Violation(path, message, reason));
  }

  /** Reports the value of that key when it is not of that type. */
  void check(FlinkConfiguration configuration, String key, ValueType type) {
    try {
      Object unused = type.read(configuration, key);
    } catch (IllegalArgumentException e) {
      String message = Objects.requireNonNullElse(e.getMessage(), "cannot be read");
      addKey(key, message.replace(FlinkConfiguration.problem(key, ""), ""));
    }
  }

  /** Keys of the Flink configuration that are given nested and flat, with two values. */
  void contradictions(@Nullable JsonNode flinkConfiguration) {
    FlinkConfiguration.contradictions(flinkConfiguration)
        .forEach(
            key -> addKey(key, "is given nested and flat, with two values. Remove one of them"));
  }

  /** The field has no effect. */
  void warn(String path, String message) {
    warnings.add(new Warning(path, message));
  }

  /** That key of the Flink configuration has no effect. */
  void warnKey(String key, String message) {
    warn(Subject.keyPath(key), message);
  }

  List<Violation> violations() {
    return violations.stream().distinct().toList();
  }

  /** By path, so that a message made of them is always the same. */
  List<Warning> warnings() {
    return warnings.stream().distinct().sorted(Comparator.comparing(Warning::path)).toList();
  }
}
