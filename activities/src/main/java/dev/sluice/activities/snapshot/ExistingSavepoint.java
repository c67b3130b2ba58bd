package dev.sluice.activities.snapshot;

import dev.sluice.workflows.snapshot.SnapshotActivities.Verified;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Looks whether a savepoint exists that was taken before. What this worker does not see as a file
 * is believed: a path that is missing here proves nothing, its storage may not be mounted.
 */
final class ExistingSavepoint {

  private static final String METADATA = "_metadata";

  private ExistingSavepoint() {}

  /** Blocks for a moment. */
  static Verified at(String path) {
    Optional<Path> seen = local(path).filter(Files::isDirectory);
    if (seen.isEmpty()) {
      return new Verified(path, true, "it was not looked at, because this worker does not see it");
    }
    return Files.isRegularFile(seen.get().resolve(METADATA))
        ? new Verified(path, true, "it has its _metadata")
        : new Verified(path, false, "There is no savepoint at " + path + ": it has no _metadata");
  }

  private static Optional<Path> local(String path) {
    try {
      URI uri = URI.create(path);
      boolean file = uri.getScheme() == null || uri.getScheme().equals("file");
      return file && uri.getPath() != null && uri.getPath().startsWith("/")
          ? Optional.of(Path.of(uri.getPath()))
          : Optional.empty();
    } catch (IllegalArgumentException notAPath) {
      return Optional.empty();
    }
  }
}
