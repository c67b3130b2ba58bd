package dev.sluice.api.validation;

import dev.sluice.api.condition.Reasons;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what the rules find in one resource. */
final class Report {
  private final List<Violation> violations = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();

  /** The field is invalid. */
  void add(String path, String message) {
    violations.add(new Violation(path, message));
  }

  /** The field is valid for Flink and Apache's operator, but we cannot do it yet. */
  void notSupported(String path, String message) {
    notSupported(path, message, Reasons.NOT_SUPPORTED);
  }

  void notSupported(String path, String message, String reason) {
    violations.add(new Violation(path, message, reason));
  }

  /** The field has no effect. */
  void warn(String path, String message) {
    warnings.add(new Warning(path, message));
  }

  List<Violation> violations() {
    return violations.stream().distinct().toList();
  }

  /** By path, so that a message made of them is always the same. */
  List<Warning> warnings() {
    return warnings.stream().distinct().sorted(Comparator.comparing(Warning::path)).toList();
  }
}
