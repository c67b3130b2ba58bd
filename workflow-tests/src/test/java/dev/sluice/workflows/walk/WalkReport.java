package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what was run, and writes what was broken to {@code target/walk}, with its traces. */
final class WalkReport {

  private static final Logger LOG = LoggerFactory.getLogger(WalkReport.class);
  private static final int TELL_EVERY = 1_000;
  private static final int RULE_CHARACTERS = 60;

  private final Path folder;
  private final long begun = System.nanoTime();
  private final List<Outcome> broken = new ArrayList<>();
  private int count;

  WalkReport(String name) {
    this.folder = Path.of("target", "walk", name);
  }

  void add(Outcome outcome) {
    count++;
    if (!outcome.violations().isEmpty()) {
      broken.add(outcome);
      LOG.warn("broken: {}", outcome.display());
    }
    if (count % TELL_EVERY == 0) {
      LOG.warn(summary());
    }
  }

  int count() {
    return count;
  }

  String summary() {
    long seconds = (System.nanoTime() - begun) / 1_000_000_000;
    return "%d cases, %d broken, %d s".formatted(count, broken.size(), seconds);
  }

  /** What was broken, after the traces are written. */
  List<String> broken() {
    LOG.warn(summary());
    broken.sort(Comparator.comparing(Outcome::name));
    StringBuilder traces = new StringBuilder();
    TreeMap<String, List<String>> rules = new TreeMap<>();
    for (Outcome outcome : broken) {
      rules.computeIfAbsent(rule(outcome), rule -> new ArrayList<>()).add(outcome.name());
      traces.append("== ").append(outcome.display()).append('\n');
      outcome.trace().forEach(line -> traces.append("      ").append(line).append('\n'));
    }
    StringBuilder byRule = new StringBuilder();
    rules.forEach(
        (rule, names) ->
            byRule.append(
                "%d  %s%n    %s%n".formatted(names.size(), rule, String.join("\n    ", names))));
    write("broken.txt", traces.toString());
    write("rules.txt", byRule.toString());
    return broken.stream().map(Outcome::display).toList();
  }

  private static String rule(Outcome outcome) {
    String rule = outcome.violations().toString().replaceAll("[0-9a-f]{32}", "ID");
    return rule.substring(0, Math.min(RULE_CHARACTERS, rule.length()));
  }

  private void write(String name, String text) {
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
