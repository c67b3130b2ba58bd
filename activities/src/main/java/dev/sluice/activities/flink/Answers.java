package dev.sluice.activities.flink;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Answers for code that has a thread to wait in. */
public final class Answers {

  /** The call itself has a timeout. */
  private static final Duration UNBOUNDED = Duration.ofHours(1);

  private Answers() {}

  /**
   * Blocks until the answer is there. An interruption abandons the call.
   *
   * @throws RuntimeException what the answer failed with, unwrapped
   */
  public static <T> T await(CompletableFuture<T> answer) {
    return await(answer, UNBOUNDED);
  }

  /**
   * Blocks until the answer is there, at most that long. An interruption abandons the call.
   *
   * @throws FlinkRestException.Unreachable when there is none in time
   * @throws RuntimeException what the answer failed with, unwrapped
   */
  public static <T> T await(CompletableFuture<T> answer, Duration atMost) {
    try {
      return answer.get(Math.max(0, atMost.toMillis()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      boolean unused = answer.cancel(true);
      throw new FlinkRestException.Unreachable("the JobManager gave no answer in time", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      boolean unused = answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new FlinkRestException.Unreachable("the call was abandoned", e);
    }
  }
}
