package dev.sluice.local.node.volume;

import java.nio.file.Path;
import java.util.Map;

/** What a volume holds. */
sealed interface Content {
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
