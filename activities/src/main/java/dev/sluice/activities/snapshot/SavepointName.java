package dev.sluice.activities.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * The name of a savepoint's directory, which Flink chooses at random. The same savepoint can be
 * spelled in many ways (scheme, authority, slashes, {@code _metadata}); its name tells it from any
 * other one.
 *
 * @param name the last part of its path
 */
record SavepointName(String name) {

  private static final String METADATA = "/_metadata";

  /** Of a path as Flink or a user spells it. */
  static SavepointName of(String path) {
    String bare = withoutSlashes(path.trim());
    String directory =
        bare.endsWith(METADATA)
            ? withoutSlashes(bare.substring(0, bare.length() - METADATA.length()))
            : bare;
    return new SavepointName(directory.substring(directory.lastIndexOf('/') + 1));
  }

  /** Whether both may be the same savepoint; null is none. */
  static boolean maybeSame(String path, @Nullable String other) {
    return other != null && of(path).equals(of(other));
  }

  private static String withoutSlashes(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
