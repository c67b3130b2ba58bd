package dev.sluice.local.flink;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The text files that come with this package. */
final class Resources {

  private static final int DIGEST_BYTES = 6;

  private Resources() {}

  /**
   * @param name relative to this package
   */
  static String text(String name) {
    try (InputStream in = Resources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Resource " + name + " is missing in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read resource " + name, e);
    }
  }

  /** Short, for names of folders that hold what was made from these resources. */
  static String digest(List<String> names) {
    MessageDigest digest = sha256();
    for (String name : names) {
      digest.update(text(name).getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
  }

  /** Short, for the name of a folder that holds this content. */
  static String digest(byte[] content) {
    return HexFormat.of().formatHex(sha256().digest(content), 0, DIGEST_BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
