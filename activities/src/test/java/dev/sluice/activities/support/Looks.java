package dev.sluice.activities.support;

import dev.sluice.activities.async.ProbeResult;
import io.temporal.failure.ApplicationFailure;
import java.util.function.Supplier;

/** Looks of a probe, as a wait takes them. */
public final class Looks {

  private Looks() {}

  /** A non-retryable failure of a look is a decision. */
  public static <T> ProbeResult<T> at(Supplier<ProbeResult<T>> look) {
    try {
      return look.get();
    } catch (ApplicationFailure failure) {
      if (!failure.isNonRetryable()) {
        throw failure;
      }
      return ProbeResult.failed(failure.getType(), failure.getOriginalMessage());
    }
  }
}
