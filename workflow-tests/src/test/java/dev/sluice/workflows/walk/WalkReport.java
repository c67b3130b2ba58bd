package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what was run, and writes what was broken to {@code target/walk}, with its traces. */
final class WalkReport {

  private static final Logger LOG = LoggerFactory.getLogger(WalkReport.class);
  private static final int TELL_EVERY = 1_000;

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
    for (Outcome outcome : broken) {
      traces.append("== ").append(outcome.display()).append('\n');
      outcome.trace().forEach(line -> traces.append("      ").append(line).append('\n'));
    }
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("broken.txt"), traces.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return broken.stream().map(Outcome::display).toList();
  }
}
