package dev.sluice.e2e.crash;

import dev.sluice.e2e.crash.Result.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The results as a page of Markdown: a row for each operation and victim, then each point in
 * question with the command that repeats it.
 *
 * @param seed of the random delays
 * @param took the whole run
 * @param results of all points
 */
record Report(long seed, Duration took, List<Result> results) {

  private static final String ROW = "| %s | %s | %d | %d | %d | %d | %s |";

  /** The page. */
  String markdown() {
    List<String> lines = new ArrayList<>();
    lines.add("# Crash matrix\n");
    lines.add(
        "%d points in %d min, seed %d; `retry`: passed after a retry that the run asked for; 'not"
                .formatted(results.size(), took.toMinutes(), seed)
            + " hit': no such process, or a step that the run did not need.\n");
    lines.add("| operation | killed | passed | retry | in question | not hit | longest s |");
    lines.add("|---|---|---|---|---|---|---|");
    for (Operation operation : Operation.values()) {
      for (Victim victim : Victim.values()) {
        List<Result> here =
            results.stream()
                .filter(it -> it.point().operation() == operation)
                .filter(it -> it.point().victim() == victim)
                .toList();
        if (!here.isEmpty()) {
          lines.add(row(operation, victim, here));
        }
      }
    }
    results.stream()
        .filter(it -> it.outcome() == Outcome.IN_QUESTION)
        .map(it -> "\n* %s: `%s`\n```\n%s\n```".formatted(it.point(), command(it), it.note()))
        .forEach(lines::add);
    return String.join("\n", lines) + "\n";
  }

  private String command(Result result) {
    return result.point().command(seed);
  }

  private static String row(Operation operation, Victim victim, List<Result> here) {
    long longest = here.stream().mapToLong(Result::millis).max().orElse(0);
    return ROW.formatted(
        operation,
        victim,
        count(here, Outcome.PASSED),
        count(here, Outcome.ASKED),
        count(here, Outcome.IN_QUESTION),
        count(here, Outcome.NOT_THERE) + count(here, Outcome.NOT_REACHED),
        String.format(Locale.ROOT, "%.1f", longest / 1000.0));
  }

  private static long count(List<Result> results, Outcome outcome) {
    return results.stream().filter(it -> it.outcome() == outcome).count();
  }
}
