package dev.sluice.local.node.volume;

import dev.sluice.local.node.container.PathMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * A volume at its place in a container.
 *
 * @param path where the container sees it, absolute, without a slash at the end
 * @param subPath the part of the volume that is mounted; "" for all of it
 * @param content what the volume holds
 */
public record Mount(String path, String subPath, Content content) {

  /** What a volume holds. */
  public sealed interface Content {
    /**
     * Files made from an API object; each container gets its own copy.
     *
     * @param byPath relative path to file
     * @param turned whether paths in them are the container's and have to be turned into its own
     */
    record Copied(Map<String, File> byPath, boolean turned) implements Content {}

    /**
     * A folder, or a file, of this machine that all containers of the pod share.
     *
     * @param path where it is
     * @param outlivesPod whether it is the user's own (hostPath): its path is then handed to the
     *     process as it is, so that a savepoint's path means the same after the pod is gone
     */
    record Shared(Path path, boolean outlivesPod) implements Content {}

    /**
     * One file.
     *
     * @param bytes its content
     * @param mode permission bits, such as 0644
     */
    record File(byte[] bytes, int mode) {}
  }

  /** Where the path leads on this machine. */
  public Path target(Path root) {
    return content instanceof Content.Shared shared && shared.outlivesPod()
        ? shared.path().resolve(subPath)
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
      Path part = shared.path().resolve(subPath);
      if (!Files.exists(part)) {
        Files.createDirectories(part);
      }
      Trees.link(place, part);
    } else if (content instanceof Content.Copied copied) {
      Trees.delete(place);
      Content.File whole = copied.byPath().get(subPath);
      if (whole != null) {
        write(place, whole, copied.turned(), paths);
        return;
      }
      Files.createDirectories(place);
      String prefix = subPath.isEmpty() ? "" : subPath + "/";
      for (Map.Entry<String, Content.File> file : copied.byPath().entrySet()) {
        if (file.getKey().startsWith(prefix)) {
          Path part = place.resolve(file.getKey().substring(prefix.length()));
          write(part, file.getValue(), copied.turned(), paths);
        }
      }
    }
  }

  private static void write(Path place, Content.File file, boolean turned, PathMap paths)
      throws IOException {
    byte[] bytes = file.bytes();
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (turned && Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))) {
      bytes = paths.turn(text).getBytes(StandardCharsets.UTF_8); // it is text
    }
    PlacedFile.write(place, bytes, file.mode());
  }
}
