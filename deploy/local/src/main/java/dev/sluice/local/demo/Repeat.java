package dev.sluice.local.demo;

import dev.sluice.local.cluster.ClusterException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Polls until there is an answer. */
public final class Repeat {

  private Repeat() {}

  /**
   * Asks until there is an answer.
   *
   * @param interval between the end of a question and the next one
   * @param what ends the message "... within 30 s: ", said when the time is over
   */
  public static <T> T until(
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

  private static void pause(Duration interval) {
    try {
      Thread.sleep(interval.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted; the cluster runs on", e);
    }
  }
}
