package dev.sluice.worker;

import dev.sluice.bootstrap.HealthCheck;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts polling as soon as Temporal answers, however long that takes: a worker that comes up
 * before its server waits for it.
 */
final class TemporalStart implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TemporalStart.class);

  private final String server;
  private final Duration retry;
  private final Runnable start;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicReference<Optional<String>> problem =
      new AtomicReference<>(Optional.of("not started yet"));

  /**
   * @param server for people
   * @param retry how soon to try again
   * @param start connects and begins to poll; throws {@link StatusRuntimeException} while Temporal
   *     cannot be used
   */
  TemporalStart(String server, Duration retry, Runnable start) {
    this.server = server;
    this.retry = retry;
    this.start = start;
  }

  /** Begins to try, on a thread of its own. */
  void begin() {
    Thread thread = new Thread(this::run, "temporal-start");
    thread.setDaemon(true);
    thread.start();
  }

  /** Why nothing is polled yet. */
  HealthCheck check() {
    return new HealthCheck("temporal", problem::get);
  }

  private void run() {
    String told = "";
    do {
      try {
        start.run();
        problem.set(Optional.empty());
        LOG.info("polls Temporal at {}", server);
        return;
      } catch (StatusRuntimeException unavailable) {
        String why = "%s: %s".formatted(server, unavailable.getStatus());
        problem.set(Optional.of(why));
        if (!why.equals(told)) {
          LOG.warn("waits for Temporal at {}", why);
          told = why;
        }
      } catch (RuntimeException bug) {
        problem.set(Optional.of("cannot start: " + bug));
        LOG.error("cannot start to poll Temporal at {}", server, bug);
      }
    } while (!isClosedAfter(retry));
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
