package dev.sluice.controller.common;

import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.Retry;
import java.time.Duration;

/** How reconcilers are called. */
public final class ReconcilerOptions {

  /** Each resource is reconciled at least this often, whatever was missed. */
  public static final Duration MAX_INTERVAL = Duration.ofMinutes(5);

  private ReconcilerOptions() {}

  /** What fails, which is the API server alone, is tried again for ever: 1 s, 2 s ... 30 s. */
  public static Retry retry() {
    return new GenericRetry()
        .setInitialInterval(Duration.ofSeconds(1).toMillis())
        .setIntervalMultiplier(2)
        .setMaxInterval(Duration.ofSeconds(30).toMillis())
        .withoutMaxAttempts();
  }
}
