package dev.sluice.local.node;

import dev.sluice.local.node.volume.PlacedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The node's folder: everything it must remember when it is killed.
 *
 * @param root the folder
 */
public record StateFolder(Path root) {

  /** One folder per pod that the node has. */
  public Path pods() {
    return root.resolve("pods");
  }

  /** Logs of the pods that have ended last, for a look afterwards. */
  public Path ended() {
    return root.resolve("ended");
  }

  /** A file per pod, written by its containers' wrappers when something happens. */
  public Path events() {
    return root.resolve("events");
  }

  /** Images that cannot be pulled because a test says so, one in a line. */
  public Path refusedImages() {
    return root.resolve("refused-images");
  }

  /** Names and addresses for {@code -Djdk.net.hosts.file}. */
  public Path hosts() {
    return root.resolve("hosts");
  }

  /** The script that containers run under. */
  public Path wrapper() {
    return root.resolve("container.sh");
  }

  /** The key and certificate of the kubelet port. */
  public Path keyStore() {
    return root.resolve("kubelet.p12");
  }

  /** Locked by the one node that may use the folder. */
  public Path lock() {
    return root.resolve("lock");
  }

  /** Makes the folders, for this user only, and the script. */
  void layOut() throws IOException {
    for (Path folder : new Path[] {root, pods(), events()}) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    try (InputStream script = StateFolder.class.getResourceAsStream("container.sh")) {
      if (script == null) {
        throw new IOException("container.sh is missing from the jar");
      }
      PlacedFile.write(wrapper(), script.readAllBytes(), 0700);
    }
  }
}
