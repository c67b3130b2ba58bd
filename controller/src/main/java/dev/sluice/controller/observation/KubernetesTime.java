package dev.sluice.controller.observation;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the times in Kubernetes objects. */
final class KubernetesTime {

  private KubernetesTime() {}

  /** Empty when there is none, or it cannot be read. */
  static Optional<Instant> parse(@Nullable String time) {
    try {
      return time == null ? Optional.empty() : Optional.of(Instant.parse(time));
    } catch (DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }
}
