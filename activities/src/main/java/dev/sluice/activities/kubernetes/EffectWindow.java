package dev.sluice.activities.kubernetes;

import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * How long one attempt of a short effect may begin to write. Temporal gives an attempt up after 10
 * s and begins another one; by then the workflow may have gone on, and what this attempt was about
 * to write may be wrong.
 */
public final class EffectWindow {

  private static final Duration LENGTH = Duration.ofSeconds(6);

  private final Clock clock;
  private final Instant end;

  private EffectWindow(Clock clock) {
    this.clock = clock;
    this.end = clock.instant().plus(LENGTH);
  }

  public static EffectWindow open(Clock clock) {
    return new EffectWindow(clock);
  }

  /**
   * Call it before each write.
   *
   * @throws ApplicationFailure {@link KubernetesFailure#UNAVAILABLE}, retryable, when it is closed
   */
  public void check() {
    if (!clock.instant().isBefore(end)) {
      throw ApplicationFailure.newFailure(
          "Kubernetes answers slowly; the step is retried", KubernetesFailure.UNAVAILABLE);
    }
  }
}
