package dev.sluice.local.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Polls things outside this process. */
public final class Poll {

  private static final Duration INTERVAL = Duration.ofMillis(50);

  private Poll() {}

  /**
   * Asks until there is an answer.
   *
   * @param interval between the end of a question and the next one
   * @param what ends the message "not within 30 s: ...", when the time is over
   */
  public static <T> T answer(
      Duration timeout, Duration interval, Supplier<String> what, Supplier<Optional<T>> question) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Optional<T> answer = question.get();
      if (answer.isPresent()) {
        return answer.get();
      }
      if (System.nanoTime() > deadline) {
        throw new ClusterException(
            "not within %d s: %s".formatted(timeout.toSeconds(), what.get()));
      }
      pause(interval);
    }
  }

  /**
   * Asks until there is no problem any more.
   *
   * @return the last problem when the time is over; empty when it went well
   */
  static Optional<String> until(Duration timeout, Supplier<Optional<String>> problem) {
    return until(timeout, problem, () -> false);
  }

  /**
   * The same, and gives up early.
   *
   * @param hopeless says that waiting on makes no sense
   */
  static Optional<String> until(
      Duration timeout, Supplier<Optional<String>> problem, BooleanSupplier hopeless) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Optional<String> current = problem.get();
      if (current.isEmpty() || hopeless.getAsBoolean() || System.nanoTime() > deadline) {
        return current;
      }
      pause(INTERVAL);
    }
  }

  private static void pause(Duration interval) {
    try {
      Thread.sleep(interval.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted; run it again to go on", e);
    }
  }
}
