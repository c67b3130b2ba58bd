package dev.sluice.activities.snapshot;

import dev.sluice.activities.job.LocalPath;
import dev.sluice.workflows.snapshot.SnapshotActivities.Verified;
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
    Optional<Path> seen = LocalPath.of(path);
    if (seen.isEmpty()) {
      return new Verified(path, true, "it was not looked at, because this worker does not see it");
    }
    return Files.isRegularFile(seen.get().resolve(METADATA))
        ? new Verified(path, true, "it has its _metadata")
        : new Verified(path, false, "There is no savepoint at " + path + ": it has no _metadata");
  }
}
