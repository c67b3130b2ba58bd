package dev.sluice.bootstrap;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One thing that must hold for the process to be ready, or alive.
 *
 * @param name one word, e.g. {@code temporal}
 * @param problem what is wrong now, or empty; must answer at once from memory
 */
public record HealthCheck(String name, Supplier<Optional<String>> problem) {

  /** The problem as it is now; a check that throws is a problem too. */
  Optional<String> run() {
    try {
      return problem.get();
    } catch (RuntimeException thrown) {
      return Optional.of("the check failed: " + thrown);
    }
  }
}
