package dev.sluice.local.node.volume;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What a volume holds. */
public sealed interface Content {

  /**
   * Files made from API objects; each container gets its own copy, with its own paths.
   *
   * @param byPath relative path to file
   */
  record Files(Map<String, File> byPath) implements Content {
    public Files {
      byPath = new TreeMap<>(byPath);
    }
  }

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
   * @param text whether paths in it are the container's and have to be turned
   */
  record File(byte[] bytes, int mode, boolean text) {}
}
