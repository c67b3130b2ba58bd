package dev.sluice.local.parts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** SHA-256 as release pages publish it. */
final class Checksum {

  private Checksum() {}

  /** The lower-case hexadecimal SHA-256 of a file. */
  static String of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        DigestInputStream digesting =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      digesting.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * The hash published for {@code fileName}.
   *
   * @param published a bare hash, or lines of hash, blanks, an optional {@code *} and file name
   * @return lower case; empty when the text holds none for that file
   */
  static Optional<String> findIn(String published, String fileName) {
    for (String line : published.strip().split("\\R", -1)) {
      String[] words = line.strip().split("\\s+\\*?", -1);
      boolean isHash = words[0].matches("[0-9a-fA-F]{64}");
      if (isHash && (words.length == 1 || words[1].equals(fileName))) {
        return Optional.of(words[0].toLowerCase(Locale.ROOT));
      }
    }
    return Optional.empty();
  }
}
