package dev.sluice.local.parts;

import java.nio.file.Path;
import java.util.Map;

/**
 * The folder, shared by all clusters and builds of a user, that keeps what is slow to get. Deleting
 * it loses nothing but time.
 *
 * @param root absolute; need not exist
 */
public record CacheDirectory(Path root) {

  /**
   * {@code $SLUICE_CACHE}, else {@code $XDG_CACHE_HOME/sluice}, else {@code ~/.cache/sluice}.
   *
   * @param environment variables as from {@link System#getenv()}
   * @param userHome the user's home folder, used when no variable says otherwise
   */
  public static CacheDirectory of(Map<String, String> environment, Path userHome) {
    String own = environment.getOrDefault("SLUICE_CACHE", "");
    if (!own.isBlank()) {
      return new CacheDirectory(Path.of(own).toAbsolutePath().normalize());
    }
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path base = xdg.isBlank() ? userHome.resolve(".cache") : Path.of(xdg);
    return new CacheDirectory(base.resolve("sluice").toAbsolutePath().normalize());
  }

  public static CacheDirectory ofThisUser() {
    return of(System.getenv(), Path.of(System.getProperty("user.home", "")));
  }

  /** Where the pinned version of {@code tool} is kept, whether it is there or not. */
  public Path binary(Tool tool) {
    return root.resolve("bin").resolve(tool.binary()).resolve(tool.version() + "/" + tool.binary());
  }
}
