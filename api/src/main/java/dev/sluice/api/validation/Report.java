package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.validation.KeyTable.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what the rules find in one resource. */
final class Report {
  private final List<Violation> violations = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();
  private final Map<String, String> inherited;
  private final String origin;

  /** For a resource whose whole configuration is its own. */
  Report() {
    this(FlinkConfiguration.empty(), FlinkConfiguration.empty(), "");
  }

  /**
   * @param own Flink configuration in the resource
   * @param effective the same over what holds where the resource does not say
   * @param origin where the rest of it comes from, for violations by one of its values
   */
  Report(FlinkConfiguration own, FlinkConfiguration effective, String origin) {
    this.inherited = new TreeMap<>(effective.asMap());
    this.inherited.keySet().removeAll(own.asMap().keySet());
    this.origin = origin;
  }

  /** The field is invalid. */
  void add(String path, String message) {
    add(path, message, Reasons.INVALID_SPEC);
  }

  /** The value of that key of the Flink configuration is invalid. */
  void addKey(String key, String message) {
    add(Subject.keyPath(key), message);
  }

  /** The field is valid for Flink and Apache's operator, but Sluice cannot do it yet. */
  void notSupported(String path, String message) {
    add(path, message, Reasons.NOT_SUPPORTED);
  }

  private void add(String path, String message, String reason) {
    boolean isInherited = inherited.containsKey(path.replace(Subject.keyPath(""), ""));
    violations.add(
        new Violation(path, isInherited ? message + ". It comes from " + origin : message, reason));
  }

  /** Reports each value that Sluice could not read. */
  void checkValues(FlinkConfiguration configuration) {
    for (String key : configuration.asMap().keySet()) {
      if (KeyTable.operatorKey(key).orElse(Scope.FLINK) != Scope.DEFAULTS) {
        KeyTable.problem(configuration, key).ifPresent(it -> addKey(key, it));
      }
    }
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
