package dev.sluice.activities.artifact;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temporary files of this process. They are in a folder of their own with a file beside it that
 * this process keeps locked: one that is not locked was left by a process that was killed, and is
 * deleted by the next.
 */
final class ArtifactFolder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ArtifactFolder.class);
  private static final String LOCK = ".lock";
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path own;
  private final Path lockFile;
  private final FileChannel lock;

  private ArtifactFolder(Path own, Path lockFile, FileChannel lock) {
    this.own = own;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Makes this process's folder and deletes those of processes that are no more.
   *
   * @throws UncheckedIOException when it cannot be made
   */
  static ArtifactFolder open(Path root) {
    try {
      if (!Files.isDirectory(root)) { // createDirectories refuses a link to one
        Files.createDirectories(root);
      }
      try (FileChannel turn = lockFile(root.resolve("all" + LOCK));
          FileLock held = turn.lock()) {
        sweep(root);
        String name = UUID.randomUUID().toString();
        Path lockFile = root.resolve(name + LOCK);
        FileChannel lock = lockFile(lockFile);
        lock.lock();
        return new ArtifactFolder(Files.createDirectory(root.resolve(name)), lockFile, lock);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep temporary files of artifacts in " + root, e);
    }
  }

  private static FileChannel lockFile(Path lock) throws IOException {
    return FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void sweep(Path root) throws IOException {
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(root, "*-*" + LOCK)) {
      for (Path lockFile : locks) {
        try (FileChannel channel = lockFile(lockFile);
            FileLock free = channel.tryLock()) {
          if (free != null) {
            String name = lockFile.getFileName().toString();
            delete(root.resolve(name.substring(0, name.length() - LOCK.length())));
            Files.deleteIfExists(lockFile);
          }
        } catch (OverlappingFileLockException e) {
          // another one of this process
        }
      }
    }
  }

  /** A new empty file, which nobody else may read. */
  Path newFile() throws IOException {
    return Files.createFile(own.resolve(UUID.randomUUID() + ".jar"), OWNER_ONLY);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }

  /** Deletes all of them. */
  @Override
  public void close() {
    try {
      delete(own);
      lock.close();
      Files.deleteIfExists(lockFile);
    } catch (IOException e) {
      LOG.warn("Temporary files of artifacts stay in {} until the next start", own, e);
    }
  }
}
