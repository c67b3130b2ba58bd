package dev.sluice.local.node.logs;

import java.io.IOException;
import java.io.RandomAccessFile;

/** Finds the last lines of a file without reading all of it. */
final class LastLines {
  private static final int BLOCK = 8192;

  private LastLines() {}

  /**
   * Where the last lines begin.
   *
   * @param lines how many; negative for all
   */
  static long start(RandomAccessFile file, long lines) throws IOException {
    long length = file.length();
    if (lines < 0) {
      return 0;
    }
    if (lines == 0) {
      return length;
    }
    long left = lines;
    long end = length;
    byte[] block = new byte[BLOCK];
    while (end > 0) {
      int size = (int) Math.min(BLOCK, end);
      file.seek(end - size);
      file.readFully(block, 0, size);
      for (int i = size - 1; i >= 0; i--) {
        // the line break at the very end ends the last line, it begins none
        boolean breaks = block[i] == '\n' && end - size + i != length - 1;
        if (breaks && --left == 0) {
          return end - size + i + 1;
        }
      }
      end -= size;
    }
    return 0;
  }
}
