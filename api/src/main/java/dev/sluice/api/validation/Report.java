package dev.sluice.api.validation;

import java.util.ArrayList;
import java.util.List;

/** Collects violations of one resource. */
final class Report {
  private final List<Violation> violations = new ArrayList<>();

  void add(String path, String message) {
    violations.add(new Violation(path, message));
  }

  void notYet(String path, String message, String reason) {
    violations.add(new Violation(path, message, reason));
  }

  List<Violation> violations() {
    return List.copyOf(violations);
  }
}
