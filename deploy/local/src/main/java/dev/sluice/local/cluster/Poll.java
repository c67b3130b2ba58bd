package dev.sluice.local.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Polls things outside this process. */
public final class Poll {
  static final Duration INTERVAL = Duration.ofMillis(50);

  private Poll() {}

  /**
   * Asks until there is an answer.
   *
   * @param interval between the end of a question and the next one
   * @param what ends the message "not within 30 s: ...", when the time is over
   */
  public static <T> T answer(
      Duration timeout, Duration interval, Supplier<String> what, Supplier<Optional<T>> question) {
    return last(timeout, interval, question, Optional::isPresent)
        .orElseThrow(
            () ->
                new ClusterException(
                    "not within %d s: %s".formatted(timeout.toSeconds(), what.get())));
  }

  /** Asks until there is no problem; returns the last one when the time is over. */
  static Optional<String> until(Duration timeout, Supplier<Optional<String>> problem) {
    return last(timeout, INTERVAL, problem, Optional::isEmpty);
  }

  /**
   * Asks until an answer will do.
   *
   * @param interval between the end of a question and the next one
   * @return the last answer; when the time is over it may not do
   */
  public static <T> T last(
      Duration timeout, Duration interval, Supplier<T> question, Predicate<T> enough) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      T answer = question.get();
      if (enough.test(answer) || System.nanoTime() > deadline) {
        return answer;
      }
      try {
        Thread.sleep(interval.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterException("interrupted; run it again to go on", e);
      }
    }
  }
}
