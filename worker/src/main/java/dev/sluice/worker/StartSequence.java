package dev.sluice.worker;

import dev.sluice.bootstrap.HealthCheck;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts step by step, each as soon as what it needs answers, however long that takes: a worker
 * that comes up before its servers waits for them.
 */
final class StartSequence implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StartSequence.class);

  /** Caches that are just being filled need no longer. */
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  private final List<Step> steps;
  private final Duration retry;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicReference<Optional<String>> problem =
      new AtomicReference<>(Optional.of("not started yet"));

  /**
   * One step of the start.
   *
   * @param needs who must answer: {@code Temporal at localhost:7233}
   * @param action throws while that one cannot be used; it is tried again
   */
  record Step(String needs, Runnable action) {}

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
  StartSequence(Duration retry, List<Step> steps) {
    this.retry = retry;
    this.steps = List.copyOf(steps);
  }

  /** Begins to try, on a thread of its own. */
  void begin() {
    Thread thread = new Thread(this::run, "start");
    thread.setDaemon(true);
    thread.start();
  }

  /** Why it has not started yet. */
  HealthCheck check() {
    return new HealthCheck("started", problem::get);
  }

  private void run() {
    if (steps.stream().allMatch(this::carryOut)) {
      problem.set(Optional.empty());
      LOG.info("Started");
    }
  }

  /** Whether it is done; else the process ends. */
  private boolean carryOut(Step step) {
    Duration pause = atMost(retry, FIRST_RETRY);
    while (true) {
      try {
        step.action().run();
        return true;
      } catch (StatusRuntimeException unavailable) {
        waiting(step, unavailable.getStatus().toString());
      } catch (NotReadyException | KubernetesClientException unavailable) {
        waiting(step, String.valueOf(unavailable.getMessage()));
      } catch (RuntimeException bug) {
        if (isNews("Cannot start with %s: %s".formatted(step.needs(), bug))) {
          LOG.error("Cannot start with {}", step.needs(), bug);
        }
      }
      if (isClosedAfter(pause)) {
        return false;
      }
      pause = atMost(retry, pause.multipliedBy(2));
    }
  }

  private static Duration atMost(Duration limit, Duration pause) {
    return pause.compareTo(limit) < 0 ? pause : limit;
  }

  private void waiting(Step step, String why) {
    String text = "Waiting for %s: %s".formatted(step.needs(), why);
    if (isNews(text)) {
      LOG.warn("{}", text);
    }
  }

  private boolean isNews(String text) {
    return !problem.getAndSet(Optional.of(text)).equals(Optional.of(text));
  }

  private boolean isClosedAfter(Duration pause) {
    try {
      return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
