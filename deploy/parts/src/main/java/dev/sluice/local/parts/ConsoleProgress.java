package dev.sluice.local.parts;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Timer;
import java.util.TimerTask;

/** A moving line on a terminal; plain lines, now and then, anywhere else. */
public final class ConsoleProgress implements Progress {

  private static final String[] SPINNER = {"|", "/", "-", "\\"};
  private static final Duration FRAME = Duration.ofMillis(200);
  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(20);

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

  /** {@code 0:07}, {@code 12:30}, {@code 1:02:03}. */
  static String elapsed(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds < 3600
        ? "%d:%02d".formatted(seconds / 60, seconds % 60)
        : "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  private final class Line implements Step {

    private final String what;
    private final Instant since = clock.instant();
    private final Timer timer = new Timer("progress", true);
    private String detail = "";
    private int frame;
    private boolean closed;

    Line(String what) {
      this.what = what;
      long period = (terminal ? FRAME : PLAIN_INTERVAL).toMillis();
      timer.scheduleAtFixedRate(
          new TimerTask() {
            @Override
            public void run() {
              tick();
            }
          },
          period,
          period);
    }

    @Override
    public synchronized void detail(String text) {
      detail = text;
    }

    @Override
    public synchronized void done(String result) {
      end("ok    ", result);
    }

    @Override
    public synchronized void close() {
      end("failed", "");
    }

    private synchronized void tick() {
      if (closed) {
        return;
      }
      String text = suffix(detail) + "  " + elapsed(Duration.between(since, clock.instant()));
      if (terminal) {
        frame++;
        out.print("\r\033[K" + SPINNER[frame % SPINNER.length] + " " + what + text);
        out.flush();
      } else {
        out.println("...    " + what + text);
      }
    }

    private void end(String outcome, String result) {
      if (closed) {
        return;
      }
      closed = true;
      timer.cancel();
      String time = elapsed(Duration.between(since, clock.instant()));
      out.println(
          (terminal ? "\r\033[K" : "") + outcome + " " + what + suffix(result) + "  " + time);
    }

    private static String suffix(String text) {
      return text.isEmpty() ? "" : ": " + text;
    }
  }
}
