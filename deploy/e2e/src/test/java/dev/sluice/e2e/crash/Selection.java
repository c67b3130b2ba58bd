package dev.sluice.e2e.crash;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which points are wanted. Of each name any number may be given, with commas; {@code all} is all.
 *
 * @param operations names
 * @param victims names
 * @param moments names
 * @param steps activity types
 */
record Selection(
    Set<String> operations, Set<String> victims, Set<String> moments, Set<String> steps) {

  private static final String ALL = "all";

  Selection {
    List<Operation> all = List.of(Operation.values());
    requireKnown(operations, all.stream());
    requireKnown(victims, Stream.of(Victim.values()));
    requireKnown(moments, Stream.of(KillMoment.values()));
    requireKnown(steps, all.stream().flatMap(it -> it.steps().stream()).map(Step::type));
  }

  /** As the properties {@code crash.operation} and so on say. */
  static Selection of(String operations, String victims, String moments, String steps) {
    return new Selection(names(operations), names(victims), names(moments), names(steps));
  }

  /** The points, in the order in which they come. */
  List<Point> points() {
    return Stream.of(Victim.values())
        .filter(it -> has(victims, it))
        .flatMap(
            victim ->
                Stream.of(Operation.values())
                    .filter(it -> has(operations, it))
                    .flatMap(operation -> points(operation, victim)))
        .toList();
  }

  private Stream<Point> points(Operation operation, Victim victim) {
    return Stream.of(KillMoment.values())
        .filter(it -> has(moments, it))
        .flatMap(
            moment ->
                operation.steps().stream()
                    .filter(it -> has(steps, it.type()))
                    .map(step -> new Point(operation, step, victim, moment)));
  }

  private static boolean has(Set<String> names, Object value) {
    return names.contains(ALL) || names.contains(value.toString());
  }

  private static Set<String> names(String text) {
    return Stream.of(text.split(",")).map(String::strip).collect(Collectors.toSet());
  }

  private static void requireKnown(Set<String> names, Stream<?> known) {
    Set<String> all = known.map(Object::toString).collect(Collectors.toCollection(TreeSet::new));
    names.stream()
        .filter(it -> !it.equals(ALL) && !all.contains(it))
        .findFirst()
        .ifPresent(
            it -> {
              throw new IllegalArgumentException("'%s' is none of %s".formatted(it, all));
            });
  }
}
