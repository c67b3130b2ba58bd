package dev.sluice.activities.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Directories that the worker sees as files: a shared volume, or a cluster on a laptop. */
public final class LocalSavepointDirectory implements SavepointDirectory {

  private static final String METADATA = "_metadata";

  @Override
  public Optional<List<String>> candidates(String directory, String jobId, long sinceMs) {
    return LocalPath.of(directory)
        .flatMap(path -> candidates(path, SavepointDirectory.prefix(jobId), sinceMs));
  }

  private static Optional<List<String>> candidates(Path directory, String prefix, long sinceMs) {
    try (Stream<Path> entries = Files.list(directory)) {
      return Optional.of(
          entries
              .filter(entry -> entry.getFileName().toString().startsWith(prefix))
              // written last by Flink: without it the savepoint is not complete
              .filter(entry -> Files.isRegularFile(entry.resolve(METADATA)))
              .filter(entry -> written(entry) >= sinceMs)
              .sorted()
              .map(entry -> "file:" + entry)
              .toList());
    } catch (IOException | UncheckedIOException unreadable) {
      return Optional.empty();
    }
  }

  private static long written(Path savepoint) {
    try {
      return Files.getLastModifiedTime(savepoint.resolve(METADATA)).toMillis();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
