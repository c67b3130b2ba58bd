package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.Person.Reaction;
import java.util.List;
import java.util.stream.Stream;

/**
 * The operations and the shapes of jobs that every fault and every request is tried on: {@code
 * scenarios.txt}.
 */
final class Scenarios {

  private static final List<Scenario> ALL =
      Story.resource("/scenarios.txt")
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Scenarios::scenario)
          .toList();

  private Scenarios() {}

  /** All of them. */
  static List<Scenario> all() {
    return ALL;
  }

  static Scenario named(String name) {
    return ALL.stream()
        .filter(candidate -> candidate.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scenario " + name));
  }

  private static Scenario scenario(String line) {
    String[] columns = line.split(" *\\| *");
    Stream<String> person = columns.length < 3 ? Stream.of() : Stream.of(columns[2].split(", "));
    return Scenario.of(columns[0], columns[1], person.map(Reaction::valueOf).toList());
  }
}
