package dev.sluice.activities.manifest;

import org.jspecify.annotations.Nullable;

/** What state a new job starts from. */
public sealed interface Restore {

  /** The job starts empty, or from high-availability metadata where there is some. */
  record Nothing() implements Restore {}

  /**
   * The job starts from a savepoint or a retained checkpoint. Flink ignores the path while
   * high-availability metadata of the same cluster holds a checkpoint, so that has to be gone.
   *
   * @param path as Flink gave it, for example {@code s3://bucket/savepoints/savepoint-0123ab}
   */
  record FromSavepoint(String path) implements Restore {
    public FromSavepoint {
      if (path.isBlank()) {
        throw new IllegalArgumentException("A savepoint path must not be blank");
      }
    }
  }

  /** From that path, or nothing when it is null. */
  static Restore of(@Nullable String path) {
    return path == null ? new Nothing() : new FromSavepoint(path);
  }
}
