package dev.sluice.testing.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs a check over cases and reports those that fail, each with how to make it again. */
public final class FuzzRun {
  private static final int MOST_REPORTED = 10;
  private static final int MOST_FRAMES = 12;
  private static final int LONGEST = 600;

  private FuzzRun() {}

  /**
   * Checks each case.
   *
   * @throws AssertionError naming up to ten cases for which {@code check} threw anything
   */
  public static void forEach(Stream<FuzzCase> cases, Consumer<FuzzCase> check) {
    List<String> failures = new ArrayList<>();
    int[] failed = {0};
    cases.forEach(
        fuzz -> {
          try {
            check.accept(fuzz);
          } catch (Exception | AssertionError | StackOverflowError e) {
            failed[0]++;
            if (failures.size() < MOST_REPORTED) {
              failures.add(shortened(fuzz.toString()) + "\n  " + trace(e));
            }
          }
        });
    if (failed[0] > 0) {
      throw new AssertionError(failed[0] + " cases failed:\n" + String.join("\n", failures));
    }
  }

  /** What it is and where in our own code. */
  private static String trace(Throwable e) {
    StringBuilder trace = new StringBuilder(shortened(e.toString()));
    Arrays.stream(e.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.sluice."))
        .filter(frame -> !frame.getClassName().startsWith("dev.sluice.testing."))
        .limit(MOST_FRAMES)
        .forEach(frame -> trace.append("\n    at ").append(frame));
    return trace.toString();
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }
}
