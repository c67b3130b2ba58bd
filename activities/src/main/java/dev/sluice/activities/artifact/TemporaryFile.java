package dev.sluice.activities.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Where an artifact is stored while it is used.
 *
 * @param folder of all temporary files
 * @param maxBytes of an artifact
 */
record TemporaryFile(Path folder, long maxBytes) {

  private static final String PREFIX = "artifact-";
  private static final String SUFFIX = ".jar";
  private static final int BLOCK = 64 << 10;
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** Login pages and error pages come with 200, too. */
  private static final byte[] JAR = {'P', 'K'};

  static boolean isOne(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
  }

  /**
   * Stores a jar in a new file, which nobody else may read.
   *
   * @param what it is, for messages
   * @param sha256 in hexadecimal, if it has to be that one
   */
  FetchedArtifact write(InputStream from, String what, Optional<String> sha256) throws IOException {
    Path file = folder.resolve(PREFIX + UUID.randomUUID() + SUFFIX);
    FetchedArtifact artifact = new FetchedArtifact(Files.createFile(file, OWNER_ONLY));
    MessageDigest digest = sha256();
    try (InputStream in = new DigestInputStream(from, digest);
        OutputStream out = Files.newOutputStream(artifact.file())) {
      copy(in, out, what);
      String found = HexFormat.of().formatHex(digest.digest());
      if (sha256.isPresent() && !sha256.get().equals(found)) {
        throw ArtifactException.lasting(
            "%s has the sha256 %s, not %s as its URI says: somebody replaced the jar, or the URI has another one's checksum"
                .formatted(what, found, sha256.get()));
      }
      return artifact;
    } catch (IOException | RuntimeException e) {
      artifact.close();
      throw e;
    }
  }

  private void copy(InputStream in, OutputStream out, String what) throws IOException {
    byte[] block = in.readNBytes(2);
    if (!Arrays.equals(block, JAR)) {
      throw ArtifactException.lasting(
          what + " is no jar: it does not begin as one; it may be a page that asks to log in");
    }
    long bytes = 0;
    while (block.length > 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      bytes += block.length;
      requireAtMost(bytes, what);
      out.write(block);
      block = in.readNBytes(BLOCK);
    }
  }

  void requireAtMost(long bytes, String what) {
    if (bytes > maxBytes) {
      throw ArtifactException.lasting(
          "%s has more than %d MiB, the limit of the worker (SLUICE_ARTIFACT_MAX_MIB)"
              .formatted(what, maxBytes >> 20));
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
