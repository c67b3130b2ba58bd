package dev.sluice.e2e.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Savepoints on disk. */
final class Savepoints {

  private Savepoints() {}

  /** Those that are complete: Flink writes {@code _metadata} last. */
  static List<Path> in(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> savepoints = Files.list(folder)) {
      return savepoints.filter(it -> Files.exists(it.resolve("_metadata"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
