package dev.sluice.activities.job;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A directory of Flink's configuration as the worker sees it. */
public final class LocalPath {

  private LocalPath() {}

  /**
   * @param directory as configured
   * @return empty when it is in a storage that is not mounted here
   */
  public static Optional<Path> of(String directory) {
    return path(directory).filter(Files::isDirectory);
  }

  /**
   * Whether a directory was certainly not made yet: it would stand in one that is seen from here,
   * and that another one, which is seen as well, stands in too. A path that is missing proves
   * nothing by itself: its storage may not be mounted.
   */
  static boolean isNotMade(String directory, String seen) {
    Path missing = path(directory).map(Path::normalize).orElse(null);
    Path parent = missing == null ? null : missing.getParent();
    return missing != null
        && parent != null
        && parent.getNameCount() > 0
        && !Files.exists(missing)
        && Files.isDirectory(parent)
        && of(seen).filter(other -> other.normalize().startsWith(parent)).isPresent();
  }

  /**
   * Where it would be here, whether or not it is there.
   *
   * @param directory as configured
   * @return empty when it is in a storage that is no file system
   */
  public static Optional<Path> path(String directory) {
    try {
      URI uri = URI.create(directory.trim());
      boolean file = uri.getScheme() == null || uri.getScheme().equals("file");
      return file && uri.getPath() != null && uri.getPath().startsWith("/")
          ? Optional.of(Path.of(uri.getPath()))
          : Optional.empty();
    } catch (IllegalArgumentException notAPath) {
      return Optional.empty();
    }
  }
}
