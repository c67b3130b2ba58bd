package dev.sluice.local.parts;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Shows what is being done and for how long: one line that changes on a terminal; a line at the
 * beginning and the end anywhere else.
 */
public final class Progress {

  private final PrintStream out;
  private final boolean terminal;
  private final InstantSource clock;

  Progress(PrintStream out, boolean terminal, InstantSource clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  /**
   * On a stream.
   *
   * @param terminal whether {@code out} understands carriage return and "erase to end of line"
   */
  public static Progress on(PrintStream out, boolean terminal) {
    return new Progress(out, terminal, InstantSource.system());
  }

  public static Progress silent() {
    return on(
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8), false);
  }

  /** Begins a step. Close it to end it; only one step is open at a time. */
  public Step begin(String what) {
    Step step = new Step(what);
    step.detail("");
    return step;
  }

  /** Says one line between steps. */
  public void say(String line) {
    out.println(line);
  }

  /** A step in hand. Closing it without {@link #done} says that it did not get there. */
  public final class Step implements AutoCloseable {

    private final String what;
    private final Instant since = clock.instant();
    private boolean closed;

    private Step(String what) {
      this.what = what;
    }

    /** What is happening now, such as {@code 312 packages}. */
    public void detail(String text) {
      if (terminal) {
        out.print("\r\033[K...    " + line(text));
        out.flush();
      } else if (text.isEmpty()) {
        out.println("...    " + what);
      }
    }

    public void done(String result) {
      end("ok    ", result);
    }

    @Override
    public void close() {
      end("failed", "");
    }

    private void end(String outcome, String result) {
      if (!closed) {
        closed = true;
        out.println((terminal ? "\r\033[K" : "") + outcome + " " + line(result));
      }
    }

    private String line(String text) {
      long seconds = Duration.between(since, clock.instant()).toSeconds();
      return "%s%s  %d:%02d"
          .formatted(what, text.isEmpty() ? "" : ": " + text, seconds / 60, seconds % 60);
    }
  }
}
