package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one process on this machine holds at a time. The kernel frees it when the process
 * ends, however it ends, so a killed build never leaves it locked.
 */
public final class FileMutex implements AutoCloseable {

  private final FileChannel channel;

  private FileMutex(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock, waiting for another holder.
   *
   * @param file made when missing, with its folders; never deleted
   * @param whenTaken runs once before waiting, to tell the user why nothing moves
   */
  public static FileMutex take(Path file, Runnable whenTaken) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      boolean told = false;
      // polls, because a lock held by another thread of this process cannot be waited for
      while (tryLock(channel) == null) {
        if (!told) {
          whenTaken.run();
          told = true;
        }
        Thread.sleep(100);
      }
      return new FileMutex(channel);
    } catch (InterruptedException e) {
      channel.close();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for another sluice process", e);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }
}
