package dev.sluice.controller.inplace;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;

/**
 * Writes that change one object each, with a pause between two that are the same: until an informer
 * has seen the first, what refuses it has been removed, or Kubernetes is available again.
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

  /** What was to be written is there, or is not needed any more. */
  void done(String uid) {
    last.remove(uid);
  }

  /**
   * Writes, unless the same was tried a short time ago.
   *
   * @param uid whose writes are kept apart from those of others
   * @param content tells one write from another
   * @param what as text: {@code scale Deployment orders-taskmanager}
   * @param done what is told when it succeeds
   * @param refused why Kubernetes refuses it in, what to do out
   */
  InPlaceOutcome write(
      String uid,
      String content,
      String what,
      Runnable call,
      StatusEvent done,
      UnaryOperator<String> refused) {
    Attempt before = last.get(uid);
    Instant now = clock.instant();
    if (before != null && before.content.equals(content) && now.isBefore(before.again)) {
      return new InPlaceOutcome(
          before.outcome.problem(), List.of(), Duration.between(now, before.again));
    }
    int failures = before == null ? 0 : before.failures;
    InPlaceOutcome outcome = outcome(what, call, done, refused, failures);
    boolean unavailable = outcome.problem() == null && outcome.review() != null;
    Duration pause = Objects.requireNonNullElse(outcome.review(), AFTER_A_WRITE);
    last.put(
        uid,
        new Attempt(content, clock.instant().plus(pause), outcome, unavailable ? failures + 1 : 0));
    return outcome;
  }

  private static InPlaceOutcome outcome(
      String what,
      Runnable call,
      StatusEvent done,
      UnaryOperator<String> refused,
      int failuresBefore) {
    try {
      KubernetesFailure.told(what, call);
      return InPlaceOutcome.changed(done);
    } catch (ApplicationFailure failed) {
      return FailureType.REFUSED.equals(failed.getType())
          ? InPlaceOutcome.held(
              Reasons.REFUSED, refused.apply(failed.getOriginalMessage()), AFTER_A_REFUSAL)
          : InPlaceOutcome.later(SingleTry.pauseAfter(failuresBefore + 1));
    }
  }

  /**
   * The last try.
   *
   * @param failures how many tries in a row Kubernetes was not available for
   */
  private record Attempt(String content, Instant again, InPlaceOutcome outcome, int failures) {}
}
