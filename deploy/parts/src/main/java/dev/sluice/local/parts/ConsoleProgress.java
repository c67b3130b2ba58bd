package dev.sluice.local.parts;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** One line that changes on a terminal; a line at the beginning and the end anywhere else. */
public final class ConsoleProgress implements Progress {

  private final PrintStream out;
  private final boolean terminal;
  private final InstantSource clock;

  /**
   * @param terminal whether {@code out} understands carriage return and "erase to end of line"
   */
  public ConsoleProgress(PrintStream out, boolean terminal, InstantSource clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Step begin(String what) {
    return new Line(what);
  }

  @Override
  public void say(String line) {
    out.println(line);
  }

  private final class Line implements Step {

    private final String what;
    private final Instant since = clock.instant();
    private boolean closed;

    Line(String what) {
      this.what = what;
      detail("");
    }

    @Override
    public void detail(String text) {
      if (terminal) {
        out.print("\r\033[K...    " + line(text));
        out.flush();
      } else if (text.isEmpty()) {
        out.println("...    " + what);
      }
    }

    @Override
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
