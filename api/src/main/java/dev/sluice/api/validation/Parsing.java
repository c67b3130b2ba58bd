package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads values of the Flink configuration; what cannot be read becomes a violation of its key. */
final class Parsing {
  private Parsing() {}

  /** What {@code read} returns; empty, and reported, when it cannot be read. */
  static <T> Optional<T> of(String key, Report report, Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (IllegalArgumentException e) {
      String message = Objects.requireNonNullElse(e.getMessage(), "cannot be read");
      report.add(Subject.keyPath(key), message.replace(FlinkConfiguration.problem(key, ""), ""));
      return Optional.empty();
    }
  }
}
