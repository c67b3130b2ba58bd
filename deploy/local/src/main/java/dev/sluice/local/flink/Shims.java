package dev.sluice.local.flink;

import dev.sluice.local.node.container.Trees;
import dev.sluice.local.parts.CacheDirectory;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The scripts that stand in for the image's {@code /docker-entrypoint.sh} and the scripts it calls,
 * laid out as files. A new build with other scripts gets a folder of its own, so pods that run keep
 * theirs.
 */
final class Shims {

  private static final List<String> FILES =
      List.of(
          "docker-entrypoint.sh",
          "kubernetes-jobmanager.sh",
          "kubernetes-taskmanager.sh",
          "flink-process.sh",
          "jvm.args",
          "jvm.security",
          "log4j-console.properties");

  private final Path root;

  Shims(CacheDirectory cache) {
    this.root = cache.root().resolve("flink").resolve("shims");
  }

  /** The folder with the scripts, made when it is missing. */
  Path folder() throws IOException {
    List<String> resources = FILES.stream().map(Shims::resource).toList();
    Path folder = root.resolve(Resources.digest(resources));
    if (Files.isDirectory(folder)) {
      return folder;
    }
    Files.createDirectories(root);
    Path draft = Files.createTempDirectory(root, ".");
    try {
      for (String file : FILES) {
        Path target = draft.resolve(file);
        Files.writeString(target, Resources.text(resource(file)));
        Files.setPosixFilePermissions(
            target,
            PosixFilePermissions.fromString(file.endsWith(".sh") ? "rwxr-xr-x" : "rw-r--r--"));
      }
      moveUnlessThere(draft, folder);
      return folder;
    } finally {
      Trees.delete(draft);
    }
  }

  private static void moveUnlessThere(Path draft, Path folder) throws IOException {
    try {
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      // another process made the same folder meanwhile
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
  }

  private static String resource(String file) {
    return "shims/" + file;
  }
}
