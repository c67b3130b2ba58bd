package dev.sluice.activities.flink;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Answers for code that has a thread to wait in. */
public final class Answers {

  private Answers() {}

  /**
   * Blocks until the answer is there. An interruption abandons the call.
   *
   * @throws RuntimeException what the answer failed with, unwrapped
   */
  public static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get();
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
