package dev.sluice.local.parts;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the Sluice repository, whose manifests and build results a cluster runs. */
public final class Repository {

  private Repository() {}

  /**
   * {@code $SLUICE_ROOT}, else the nearest folder upwards from here that holds the pinned tools.
   *
   * @throws PartsException when there is none
   */
  public static Path root() {
    String said = System.getenv().getOrDefault("SLUICE_ROOT", "");
    Path start = said.isBlank() ? Path.of("") : Path.of(said);
    for (Path folder = start.toAbsolutePath().normalize();
        folder != null;
        folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve("deploy/local/tools"))) {
        return folder;
      }
    }
    throw new PartsException(
        start.toAbsolutePath()
            + " is not inside a Sluice repository: go there, or set SLUICE_ROOT to it",
        null);
  }
}
