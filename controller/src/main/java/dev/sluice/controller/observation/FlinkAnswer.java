package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRestException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for answers of Flink: the one place where a thread of the controller does. */
public final class FlinkAnswer {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private FlinkAnswer() {}

  /**
   * The answer, which is waited for up to 5 s.
   *
   * @throws FlinkRestException when there is none
   */
  public static <T> T of(CompletableFuture<T> answer) {
    try {
      return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw FlinkRestException.in(failed)
          .orElseGet(() -> new FlinkRestException.Unreachable("no answer: " + failed, failed));
    } catch (TimeoutException late) {
      throw abandoned(answer, "no answer in " + PATIENCE.toSeconds() + " s", late);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw abandoned(answer, "interrupted", stopped);
    }
  }

  private static FlinkRestException abandoned(
      CompletableFuture<?> answer, String why, Exception cause) {
    answer.cancel(true);
    return new FlinkRestException.Unreachable(why, cause);
  }

  /** The answer to what is only of interest beside; null when there is none. */
  public static <T> @Nullable T orNull(Supplier<CompletableFuture<T>> call) {
    try {
      return of(call.get());
    } catch (RuntimeException failed) {
      return null;
    }
  }
}
