package dev.sluice.controller.operation;

import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Calls to Temporal, each within a deadline that includes the SDK's own retries. */
final class TimedCalls implements AutoCloseable {

  private final Duration deadline;
  private final ScheduledExecutorService timer;

  /**
   * @param deadline for each call
   */
  TimedCalls(Duration deadline) {
    this.deadline = deadline;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "temporal-deadline");
              thread.setDaemon(true);
              return thread;
            });
  }

  <T> T within(Callable<T> call) {
    Context.CancellableContext context =
        Context.current()
            .withDeadline(Deadline.after(deadline.toMillis(), TimeUnit.MILLISECONDS), timer);
    try {
      return context.call(call);
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      context.cancel(null);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
