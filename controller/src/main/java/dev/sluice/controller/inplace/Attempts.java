package dev.sluice.controller.inplace;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Writes that change one object each. What was written is not written again while the object has
 * not changed since: an informer has not seen it yet, or an admission webhook has made it so. After
 * a write there is a pause of 5 s, after a refusal one of 30 s, and one that grows while Kubernetes
 * is not available.
 */
final class Attempts {

  private static final Duration AFTER_A_WRITE = Duration.ofSeconds(5);
  private static final Duration AFTER_A_REFUSAL = Duration.ofSeconds(30);

  private final Clock clock;
  private final ConcurrentMap<String, Attempt> last = new ConcurrentHashMap<>();

  /**
   * @param clock measures the pauses
   */
  Attempts(Clock clock) {
    this.clock = clock;
  }

  /** What was to be written is there, or is not needed any more: the next write is a new one. */
  void forget(String key) {
    last.remove(key);
  }

  /** It is there, and is not written again if somebody else changes it. */
  void isThere(String key, Object content) {
    last.put(key, new Attempt(content, "", Instant.EPOCH, InPlaceOutcome.DONE, 0));
  }

  /**
   * Writes, unless the same was tried a short time ago, or was written since the object changed.
   *
   * @param key of the object
   * @param content tells one write from another
   * @param version of the object as the informer has it
   * @param what as text: {@code scale Deployment orders-taskmanager}
   * @param call writes
   * @param refused why Kubernetes refuses it in, what to do out
   */
  InPlaceOutcome write(
      String key,
      Object content,
      String version,
      String what,
      Supplier<InPlaceOutcome> call,
      UnaryOperator<String> refused) {
    Attempt before = last.get(key);
    Instant now = clock.instant();
    if (before != null && before.content.equals(content)) {
      if (now.isBefore(before.again)) {
        return new InPlaceOutcome(
            before.outcome.problem(), List.of(), Duration.between(now, before.again));
      }
      if (before.isWritten() && before.version.equals(version)) {
        return InPlaceOutcome.DONE;
      }
    }
    int failures = before == null ? 0 : before.failures;
    InPlaceOutcome outcome;
    int failuresNow = 0;
    try {
      outcome = KubernetesFailure.told(what, call);
    } catch (ApplicationFailure failed) {
      boolean refusal = FailureType.REFUSED.equals(failed.getType());
      failuresNow = refusal ? 0 : failures + 1;
      outcome =
          refusal
              ? held(Reasons.REFUSED, refused.apply(failed.getOriginalMessage()))
              : InPlaceOutcome.later(SingleTry.pauseAfter(failuresNow));
    }
    Duration pause = Objects.requireNonNullElse(outcome.review(), AFTER_A_WRITE);
    last.put(key, new Attempt(content, version, clock.instant().plus(pause), outcome, failuresNow));
    return outcome;
  }

  /** Somebody has to do something. */
  static InPlaceOutcome held(String reason, String message) {
    return InPlaceOutcome.held(reason, message, AFTER_A_REFUSAL);
  }

  /**
   * The last try.
   *
   * @param again the same is not tried before
   * @param failures how many tries in a row Kubernetes was not available for
   */
  private record Attempt(
      Object content, String version, Instant again, InPlaceOutcome outcome, int failures) {

    boolean isWritten() {
      return outcome.review() == null;
    }
  }
}
