package dev.sluice.local.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a log file, for error messages. */
final class LogTail {

  private static final int BYTES = 8 << 10;

  private LogTail() {}

  /** The last lines, or why they cannot be read. */
  static String of(Path log, int lines) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      int length = (int) Math.min(BYTES, file.length());
      byte[] end = new byte[length];
      file.seek(file.length() - length);
      file.readFully(end);
      List<String> all = new String(end, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    } catch (IOException e) {
      return "(cannot be read: " + e.getMessage() + ")";
    }
  }
}
