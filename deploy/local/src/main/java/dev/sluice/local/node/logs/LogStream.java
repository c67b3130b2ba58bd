package dev.sluice.local.node.logs;

import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.ProcessState.Ended;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.time.Clock;

/**
 * Writes an attempt's log to someone who asked for it.
 *
 * @param attempt whose log
 * @param request what of it
 */
record LogStream(Attempt attempt, LogRequest request, Clock clock) {
  private static final int LOOK_MILLIS = 100;
  private static final int BLOCK = 8192;

  /** Returns at the end of the log; when it is followed, at the end of the attempt. */
  void writeTo(OutputStream out) throws IOException, InterruptedException {
    while (!Files.exists(attempt.log())) {
      if (!goesOn()) {
        return;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    try (RandomAccessFile file = new RandomAccessFile(attempt.log().toFile(), "r")) {
      file.seek(start(file, request.tailLines()));
      byte[] block = new byte[BLOCK];
      boolean more;
      do {
        more = goesOn(); // asked first: what was written before the end is still read
        for (int read = file.read(block); read > 0; read = file.read(block)) {
          out.write(block, 0, read);
        }
        out.flush();
        if (more) {
          Thread.sleep(LOOK_MILLIS);
        }
      } while (more);
    }
  }

  /** Whether more may come and is waited for. */
  private boolean goesOn() {
    return request.follow() && !(attempt.look(clock.instant()) instanceof Ended);
  }

  /**
   * Where the last lines begin, found without reading all of the file.
   *
   * @param lines how many; negative for all
   */
  static long start(RandomAccessFile file, long lines) throws IOException {
    long length = file.length();
    if (lines <= 0) {
      return lines == 0 ? length : 0;
    }
    long left = lines;
    byte[] block = new byte[BLOCK];
    for (long end = length; end > 0; end -= BLOCK) {
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
    }
    return 0;
  }
}
