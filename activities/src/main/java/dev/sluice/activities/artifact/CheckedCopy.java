package dev.sluice.activities.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Copies a stream into a file while it counts and hashes it. */
final class CheckedCopy {

  private static final int BLOCK = 64 << 10;

  private CheckedCopy() {}

  /**
   * Copies all of it, or a little more than {@code most} bytes of it.
   *
   * @return what was copied
   * @throws InterruptedIOException when the thread was interrupted, which it stays
   */
  static FetchedArtifact of(InputStream in, Path file, long most) throws IOException {
    MessageDigest sha256 = sha256();
    byte[] block = new byte[BLOCK];
    long bytes = 0;
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int read = in.read(block); read >= 0 && bytes <= most; read = in.read(block)) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted");
        }
        out.write(block, 0, read);
        sha256.update(block, 0, read);
        bytes += read;
      }
    }
    return new FetchedArtifact(file, HexFormat.of().formatHex(sha256.digest()), bytes);
  }

  /** Login pages and error pages come with 200 too. */
  static void checkThatItIsAJar(Path file, String what) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(2);
      if (start.length < 2 || start[0] != 'P' || start[1] != 'K') {
        throw ArtifactException.lasting(
            what + " is no jar: it does not begin as one; it may be a page that asks to log in");
      }
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
