package dev.sluice.local.node.volume;

import dev.sluice.local.node.container.PathMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A volume at its place in a container.
 *
 * @param path where the container sees it, absolute, without a slash at the end
 * @param subPath the part of the volume that is mounted; "" for all of it
 * @param content what the volume holds
 */
public record Mount(String path, String subPath, Content content) {

  /** Where the path leads on this machine. */
  public Path target(Path root) {
    return content instanceof Content.Shared shared && shared.outlivesPod()
        ? part(shared.path())
        : root.resolve(path.substring(1));
  }

  /**
   * Puts it into the container's root.
   *
   * @param paths to turn the paths in configuration files
   */
  public void place(Path root, PathMap paths) throws IOException {
    Path place = root.resolve(path.substring(1));
    if (content instanceof Content.Shared shared) {
      Path part = part(shared.path());
      if (!Files.exists(part)) {
        Files.createDirectories(part);
      }
      Trees.link(place, part);
    } else if (content instanceof Content.Files files) {
      Trees.delete(place);
      copy(files, place, paths);
    }
  }

  private void copy(Content.Files files, Path place, PathMap paths) throws IOException {
    Content.File whole = files.byPath().get(subPath);
    if (whole != null) {
      write(place, whole, paths);
      return;
    }
    Files.createDirectories(place);
    String prefix = subPath.isEmpty() ? "" : subPath + "/";
    for (Map.Entry<String, Content.File> file : files.byPath().entrySet()) {
      if (file.getKey().startsWith(prefix)) {
        write(place.resolve(file.getKey().substring(prefix.length())), file.getValue(), paths);
      }
    }
  }

  private Path part(Path volume) {
    return subPath.isEmpty() ? volume : volume.resolve(subPath);
  }

  private static void write(Path place, Content.File file, PathMap paths) throws IOException {
    byte[] bytes = file.bytes();
    if (file.text()) {
      String text = paths.turn(new String(bytes, StandardCharsets.UTF_8));
      bytes = text.getBytes(StandardCharsets.UTF_8);
    }
    PlacedFile.write(place, bytes, file.mode());
  }
}
