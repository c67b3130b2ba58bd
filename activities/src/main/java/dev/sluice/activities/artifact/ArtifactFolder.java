package dev.sluice.activities.artifact;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temporary files of this process, whose names begin with its id. Those of a process that is no
 * more, as of the container before this one, are deleted by the next.
 */
final class ArtifactFolder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ArtifactFolder.class);
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path root;
  private final String prefix;

  private ArtifactFolder(Path root, String prefix) {
    this.root = root;
    this.prefix = prefix;
  }

  /**
   * The folder of this process.
   *
   * @throws UncheckedIOException when it cannot be made
   */
  static ArtifactFolder open(Path root) {
    ProcessHandle process = ProcessHandle.current();
    String prefix = process.pid() + "-" + UUID.randomUUID() + "-";
    try {
      if (!Files.isDirectory(root)) { // createDirectories refuses a link to one
        Files.createDirectories(root);
      }
      for (Path file : files(root)) {
        if (isLeft(file, process)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep temporary files of artifacts in " + root, e);
    }
    return new ArtifactFolder(root, prefix);
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files.filter(it -> it.toString().endsWith(".jar")).toList();
    }
  }

  /** The process of a container has the same id each time, and another start. */
  private static boolean isLeft(Path file, ProcessHandle own) throws IOException {
    String name = file.getFileName().toString();
    String pid = name.substring(0, Math.max(0, name.indexOf('-')));
    if (!pid.matches("\\d{1,10}")) {
      return false;
    }
    Instant started = own.info().startInstant().orElse(Instant.MIN);
    return Long.parseLong(pid) == own.pid()
        ? Files.getLastModifiedTime(file).toInstant().isBefore(started)
        : ProcessHandle.of(Long.parseLong(pid)).isEmpty();
  }

  /** A new empty file, which nobody else may read. */
  Path newFile() throws IOException {
    return Files.createFile(root.resolve(prefix + UUID.randomUUID() + ".jar"), OWNER_ONLY);
  }

  @Override
  public void close() {
    try {
      for (Path file : files(root)) {
        if (file.getFileName().toString().startsWith(prefix)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      LOG.warn("Temporary files of artifacts stay in {} until the next start", root, e);
    }
  }
}
