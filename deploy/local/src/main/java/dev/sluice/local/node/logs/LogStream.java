package dev.sluice.local.node.logs;

import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.ProcessState.Ended;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Writes an attempt's log to someone who asked for it. */
final class LogStream {
  private static final Duration LOOK = Duration.ofMillis(100);

  /** The kubelet's own limit for an idle stream. */
  private static final Duration LONGEST = Duration.ofHours(4);

  private final Attempt attempt;
  private final LogRequest request;
  private final Clock clock;
  private long left;

  LogStream(Attempt attempt, LogRequest request, Clock clock) {
    this.attempt = attempt;
    this.request = request;
    this.clock = clock;
    this.left = request.limitBytes() < 0 ? Long.MAX_VALUE : request.limitBytes();
  }

  /** Returns at the end of the log; when it is followed, at the end of the attempt. */
  void writeTo(OutputStream out) throws IOException, InterruptedException {
    Instant limit = clock.instant().plus(LONGEST);
    while (!Files.exists(attempt.log())) {
      if (!goesOn(limit)) {
        return;
      }
      Thread.sleep(LOOK.toMillis());
    }
    try (RandomAccessFile file = new RandomAccessFile(attempt.log().toFile(), "r")) {
      file.seek(unchanged() ? file.length() : LastLines.start(file, request.tailLines()));
      boolean more;
      do {
        more = goesOn(limit); // asked first: what was written before the end is still read
        copy(file, out);
        if (more) {
          Thread.sleep(LOOK.toMillis());
        }
      } while (more && left > 0);
    }
  }

  private boolean unchanged() throws IOException {
    return request.since() != null
        && Files.getLastModifiedTime(attempt.log()).toInstant().isBefore(request.since());
  }

  /** Whether more may come and is waited for. */
  private boolean goesOn(Instant limit) {
    Instant now = clock.instant();
    return request.follow() && now.isBefore(limit) && !(attempt.look(now) instanceof Ended);
  }

  private void copy(RandomAccessFile file, OutputStream out) throws IOException {
    byte[] block = new byte[16 * 1024];
    while (left > 0) {
      int read = file.read(block, 0, (int) Math.min(block.length, left));
      if (read <= 0) {
        break;
      }
      out.write(block, 0, read);
      left -= read;
    }
    out.flush();
  }
}
