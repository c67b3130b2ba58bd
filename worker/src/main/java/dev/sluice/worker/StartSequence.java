package dev.sluice.worker;

import dev.sluice.bootstrap.HealthCheck;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts step by step, each as soon as what it needs answers, however long that takes: a worker
 * that comes up before its servers waits for them.
 */
final class StartSequence {

  private static final Logger LOG = LoggerFactory.getLogger(StartSequence.class);

  /** Caches that are just being filled need no longer. */
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  private final Duration retry;
  private volatile Optional<String> problem = Optional.of("not started yet");

  /** What a step needs is not there yet. */
  static final class NotReadyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotReadyException(String why) {
      super(why);
    }
  }

  /**
   * @param retry how soon to try again at the latest; the first times are sooner
   */
  StartSequence(Duration retry) {
    this.retry = retry;
  }

  /** Why it has not started yet. */
  HealthCheck check() {
    return new HealthCheck("started", () -> problem);
  }

  /**
   * Blocks until the step is done.
   *
   * @param needs who must answer: {@code Temporal at localhost:7233}
   * @param step throws while that one cannot be used; it is tried again
   */
  void await(String needs, Runnable step) throws InterruptedException {
    for (Duration pause = FIRST_RETRY; !isDone(needs, step); pause = pause.multipliedBy(2)) {
      pause = pause.compareTo(retry) < 0 ? pause : retry;
      Thread.sleep(pause.toMillis());
    }
  }

  /** All steps are done. */
  void done() {
    problem = Optional.empty();
    LOG.info("Started");
  }

  private boolean isDone(String needs, Runnable step) {
    try {
      step.run();
      return true;
    } catch (RuntimeException failed) {
      boolean away =
          failed instanceof StatusRuntimeException
              || failed instanceof NotReadyException
              || failed instanceof KubernetesClientException;
      String text =
          away
              ? "Waiting for %s: %s".formatted(needs, failed.getMessage())
              : "Cannot start with %s: %s".formatted(needs, failed);
      if (!Optional.of(text).equals(problem)) {
        LOG.warn(text, away ? null : failed);
      }
      problem = Optional.of(text);
      return false;
    }
  }
}
