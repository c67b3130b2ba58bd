package dev.sluice.e2e.crash;

import static java.util.stream.Collectors.joining;

import dev.sluice.e2e.crash.Result.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The results as a page of Markdown.
 *
 * @param seed of the random delays
 * @param took the whole run
 * @param results of all points
 */
record Report(long seed, Duration took, List<Result> results) {

  /** The page. */
  String markdown() {
    return Stream.of(List.of("# Crash matrix", "", head()), summary(), tables(), questions())
        .flatMap(List::stream)
        .collect(joining("\n", "", "\n"));
  }

  private String head() {
    return "%d points in %d min %02d s, seed %d: %d passed, %d passed after a retry that was asked for, %d in question. %d more are not counted: at %d there is no such process, %d steps were not taken."
        .formatted(
            results.stream().filter(Result::killed).count(),
            took.toMinutes(),
            took.toSecondsPart(),
            seed,
            count(Outcome.PASSED),
            count(Outcome.ASKED),
            count(Outcome.IN_QUESTION),
            count(Outcome.NOT_THERE) + count(Outcome.NOT_REACHED),
            count(Outcome.NOT_THERE),
            count(Outcome.NOT_REACHED));
  }

  private List<String> summary() {
    List<Victim> victims = present(Victim.values(), it -> it.point().victim());
    List<String> lines =
        start("Points passed of all points, and the longest time from a kill to the next step");
    lines.addAll(header("operation", victims));
    for (Operation operation : operations()) {
      lines.add(
          row(
              operation.toString(),
              victims,
              victim ->
                  total(
                      results.stream()
                          .filter(it -> it.point().operation() == operation)
                          .filter(it -> it.point().victim() == victim)
                          .filter(Result::killed)
                          .toList())));
    }
    lines.add(
        row(
            "all",
            victims,
            victim ->
                total(
                    results.stream()
                        .filter(it -> it.point().victim() == victim)
                        .filter(Result::killed)
                        .toList())));
    return lines;
  }

  private static String total(List<Result> all) {
    if (all.isEmpty()) {
      return "–";
    }
    long passed = all.stream().filter(it -> it.outcome() != Outcome.IN_QUESTION).count();
    long longest = all.stream().mapToLong(Result::millis).max().orElse(0);
    return "%d/%d, %s s".formatted(passed, all.size(), seconds(longest));
  }

  private List<String> tables() {
    List<String> lines = new ArrayList<>();
    for (Operation operation : operations()) {
      List<Victim> victims = present(Victim.values(), it -> it.point().victim());
      lines.addAll(
          start(
              operation
                  + ": seconds from a kill "
                  + moments().stream().map(KillMoment::toString).collect(joining(" / "))
                  + " the step to the next one"));
      lines.addAll(header("step", victims));
      for (Step step : operation.steps()) {
        if (results.stream().anyMatch(it -> isOf(it, operation, step))) {
          lines.add(row("`" + step + "`", victims, victim -> cell(operation, step, victim)));
        }
      }
    }
    if (!lines.isEmpty()) {
      lines.add("");
      lines.add(
          "`–` no such process, `·` the step was not taken, `r` a retry was asked for, `l` the step"
              + " had already returned, **?** in question.");
    }
    return lines;
  }

  private String cell(Operation operation, Step step, Victim victim) {
    List<Result> here =
        results.stream()
            .filter(it -> isOf(it, operation, step) && it.point().victim() == victim)
            .toList();
    return here.isEmpty()
        ? ""
        : moments().stream().map(moment -> entry(here, moment)).collect(joining(" / "));
  }

  private List<KillMoment> moments() {
    return present(KillMoment.values(), it -> it.point().moment());
  }

  /** Nothing where nobody asked for the point. */
  private static String entry(List<Result> here, KillMoment moment) {
    return here.stream()
        .filter(it -> it.point().moment() == moment)
        .findFirst()
        .map(Report::entry)
        .orElse("");
  }

  private static String entry(Result result) {
    String late = result.late() ? " l" : "";
    return switch (result.outcome()) {
      case PASSED -> seconds(result.millis()) + late;
      case ASKED -> seconds(result.millis()) + late + " r";
      case NOT_THERE -> "–";
      case NOT_REACHED -> "·";
      case IN_QUESTION -> "**?**";
    };
  }

  /** Each run that failed once, with all of its points. */
  private List<String> questions() {
    List<String> lines = new ArrayList<>();
    results.stream()
        .filter(it -> it.outcome() == Outcome.IN_QUESTION)
        .map(Result::note)
        .distinct()
        .forEach(
            note -> {
              lines.addAll(start("In question"));
              lines.addAll(List.of("```", note, "```", ""));
              results.stream()
                  .filter(it -> it.outcome() == Outcome.IN_QUESTION && it.note().equals(note))
                  .forEach(
                      it ->
                          lines.add("* %s: `%s`".formatted(it.point(), it.point().command(seed))));
            });
    return lines;
  }

  private List<Operation> operations() {
    return Kind.allOperations().stream()
        .filter(operation -> results.stream().anyMatch(it -> it.point().operation() == operation))
        .toList();
  }

  private long count(Outcome outcome) {
    return results.stream().filter(it -> it.outcome() == outcome).count();
  }

  private <T> List<T> present(T[] values, Function<Result, T> of) {
    return Stream.of(values)
        .filter(value -> results.stream().anyMatch(it -> of.apply(it) == value))
        .toList();
  }

  private static boolean isOf(Result result, Operation operation, Step step) {
    return result.point().operation() == operation && result.point().step().equals(step);
  }

  private static List<String> start(String title) {
    return new ArrayList<>(List.of("", "## " + title, ""));
  }

  private static List<String> header(String first, List<Victim> victims) {
    return List.of(row(first, victims, Victim::toString), "|---".repeat(victims.size() + 1) + "|");
  }

  private static String row(String first, List<Victim> victims, Function<Victim, String> cell) {
    return victims.stream().map(cell).collect(joining(" | ", "| " + first + " | ", " |"));
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f", millis / 1000.0);
  }
}
