package dev.sluice.controller.reconcile;

import dev.sluice.api.deployment.FlinkDeployment;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.Retry;
import java.time.Duration;

/** How the reconciler wants to be called. */
public final class ReconcilerOptions {

  /** A look at each resource at least this often, whatever was missed. */
  public static final Duration MAX_INTERVAL = Duration.ofMinutes(5);

  private ReconcilerOptions() {}

  /** Updates that are worth a look. */
  public static OnUpdateFilter<FlinkDeployment> worthALook() {
    return new ChangeFilter();
  }

  /** What fails, which is the API server alone, is tried again for ever: 1 s, 2 s ... 30 s. */
  public static Retry retry() {
    return new GenericRetry()
        .setInitialInterval(Duration.ofSeconds(1).toMillis())
        .setIntervalMultiplier(2)
        .setMaxInterval(Duration.ofSeconds(30).toMillis())
        .withoutMaxAttempts();
  }
}
