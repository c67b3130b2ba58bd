package dev.sluice.activities.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Directories that the worker sees as files: a shared volume, or a cluster on a laptop. */
final class LocalCheckpointDirectory implements CheckpointDirectory {

  private static final String METADATA = "_metadata";
  private static final String PREFIX = "chk-";
  private static final Pattern NAME = Pattern.compile(PREFIX + "\\d{1,18}");

  @Override
  public Optional<List<Checkpoint>> completed(String directory, String jobId) {
    return LocalPath.of(directory).flatMap(root -> completed(root, jobId));
  }

  private static Optional<List<Checkpoint>> completed(Path root, String jobId) {
    Path own = root.resolve(jobId);
    if (!Files.exists(own)) {
      return Optional.of(List.of());
    }
    try (Stream<Path> entries = Files.list(own)) {
      return Optional.of(
          entries
              .filter(entry -> NAME.matcher(name(entry)).matches())
              // written last by Flink: without it the checkpoint is not complete
              .filter(entry -> Files.isRegularFile(entry.resolve(METADATA)))
              .map(LocalCheckpointDirectory::checkpoint)
              .toList());
    } catch (IOException | UncheckedIOException unreadable) {
      return Optional.empty();
    }
  }

  private static Checkpoint checkpoint(Path folder) {
    try {
      return new Checkpoint(
          "file:" + folder,
          Long.parseLong(name(folder).substring(PREFIX.length())),
          Files.getLastModifiedTime(folder.resolve(METADATA)).toMillis());
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }
}
