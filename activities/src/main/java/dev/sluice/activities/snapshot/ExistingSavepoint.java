package dev.sluice.activities.snapshot;

import dev.sluice.activities.job.LocalPath;
import dev.sluice.workflows.snapshot.SnapshotActivities.Verified;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks whether a savepoint exists that was taken before. What this worker does not see as a file
 * is believed: a path that is missing here proves nothing, its storage may not be mounted. Where
 * another savepoint or checkpoint is seen beside it, its storage is.
 */
final class ExistingSavepoint {

  private static final String METADATA = "_metadata";

  private ExistingSavepoint() {}

  /**
   * Blocks for a moment.
   *
   * @param path of the savepoint, or of its metadata, which Flink takes as well
   */
  static Verified at(String path) {
    Path seen = LocalPath.path(path).map(Path::normalize).orElse(null);
    if (seen == null) {
      return believed(path);
    }
    if (Files.isRegularFile(seen)) {
      return new Verified(path, true, "its metadata is there");
    }
    Path savepoint =
        seen.endsWith(METADATA) ? Objects.requireNonNullElse(seen.getParent(), seen) : seen;
    if (Files.isDirectory(savepoint)) {
      return Files.isRegularFile(savepoint.resolve(METADATA))
          ? new Verified(path, true, "it has its _metadata")
          : new Verified(path, false, "There is no savepoint at " + path + ": it has no _metadata");
    }
    return beside(savepoint)
        .map(other -> new Verified(path, false, missing(path, other)))
        .orElseGet(() -> believed(path));
  }

  private static Verified believed(String path) {
    return new Verified(path, true, "not verified, because this worker cannot read that storage");
  }

  private static String missing(String path, Path other) {
    return "There is no savepoint at %s: this worker sees %s, where %s is, and it is not there"
        .formatted(path, other.getParent(), other.getFileName());
  }

  /** Another savepoint or checkpoint in the directory that it would be in. */
  private static Optional<Path> beside(Path missing) {
    Path parent = missing.getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      return Optional.empty();
    }
    try (Stream<Path> there = Files.list(parent)) {
      return there.filter(it -> Files.isRegularFile(it.resolve(METADATA))).findAny();
    } catch (IOException | UncheckedIOException unreadable) {
      return Optional.empty();
    }
  }
}
