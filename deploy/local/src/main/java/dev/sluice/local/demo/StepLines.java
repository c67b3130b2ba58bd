package dev.sluice.local.demo;

import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Shows the steps of one run: a line for each that ended, and on a terminal one that moves for the
 * step in flight.
 */
final class StepLines {

  private static final String[] SPINNER = {"|", "/", "-", "\\"};
  private static final int WIDTH = 78;

  private final PrintStream out;
  private final boolean terminal;
  private int shown;
  private int frame;

  /**
   * @param terminal whether {@code out} understands carriage return and "erase to end of line"
   */
  StepLines(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Brings the lines up to date.
   *
   * @param steps all steps so far, in order
   * @param note what else there is to say of the step in flight; may be empty
   */
  void show(List<StepSeen> steps, String note, Instant now) {
    while (shown < steps.size() && steps.get(shown).ended() != null) {
      line(ended(steps.get(shown), now));
      shown++;
    }
    if (terminal) {
      frame++;
      String moving =
          shown < steps.size() ? running(steps.get(shown), note, now) : "waits for the next step";
      out.print("\r\033[K" + SPINNER[frame % SPINNER.length] + " " + moving);
      out.flush();
    }
  }

  /** Takes the moving line away. */
  void end() {
    if (terminal) {
      out.print("\r\033[K");
      out.flush();
    }
  }

  private void line(String text) {
    out.println((terminal ? "\r\033[K" : "") + text);
  }

  static String ended(StepSeen step, Instant now) {
    return "  %s %s %7s"
        .formatted(step.failed() ? "failed" : "ok    ", padded(step.summary()), time(step, now));
  }

  static String running(StepSeen step, String note, Instant now) {
    String text = step.summary() + (note.isEmpty() ? "" : " (" + note + ")");
    return "      %s %7s".formatted(fitted(text), time(step, now));
  }

  /** As wide as the column, so that a moving line never wraps. */
  private static String fitted(String text) {
    return padded(text.length() > WIDTH ? text.substring(0, WIDTH - 3) + "..." : text);
  }

  private static String padded(String text) {
    return String.format(Locale.ROOT, "%-" + WIDTH + "s", text);
  }

  private static String time(StepSeen step, Instant now) {
    return String.format(Locale.ROOT, "%.1f s", step.took(now).toMillis() / 1000.0);
  }
}
