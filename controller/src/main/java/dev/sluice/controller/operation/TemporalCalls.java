package dev.sluice.controller.operation;

import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The blocking calls of this process to Temporal. Each has a deadline that includes the SDK's own
 * retries, and only some are made at the same time, so that a Temporal that does not answer never
 * holds all threads that reconcile.
 */
public final class TemporalCalls implements AutoCloseable {

  private final String address;
  private final Duration deadline;
  private final Semaphore permits;
  private final ScheduledExecutorService timer;

  /** Why the last call was not answered; null since one was. */
  private volatile @Nullable String silence;

  /**
   * @param address of Temporal, for messages
   * @param deadline for each call
   * @param most calls at the same time
   */
  public TemporalCalls(String address, Duration deadline, int most) {
    this.address = address;
    this.deadline = deadline;
    this.permits = new Semaphore(most);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "temporal-deadline");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Makes one call.
   *
   * @throws TemporalFailure when it is refused, not answered, or not made
   */
  public <T> T within(Callable<T> call) {
    if (!permits.tryAcquire()) {
      throw TemporalFailure.notMade(silence);
    }
    Context.CancellableContext context =
        Context.current()
            .withDeadline(Deadline.after(deadline.toMillis(), TimeUnit.MILLISECONDS), timer);
    try {
      T answer = context.call(call);
      silence = null;
      return answer;
    } catch (Exception failed) {
      TemporalFailure failure = TemporalFailure.of(address, failed);
      silence = failure.isSilence() ? failure.getMessage() : null;
      throw failure;
    } finally {
      context.cancel(null);
      permits.release();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
