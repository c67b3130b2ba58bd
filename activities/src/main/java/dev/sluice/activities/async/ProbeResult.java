package dev.sluice.activities.async;

import org.jspecify.annotations.Nullable;

/**
 * What one look at the world says about a wait. A probe that cannot tell throws, and the wait goes
 * on.
 *
 * @param <T> what the activity returns
 */
public sealed interface ProbeResult<T> {

  /** It holds; the activity returns this, null for an activity without a result. */
  record Done<T>(@Nullable T result) implements ProbeResult<T> {}

  /** Not yet. {@code progress} is shown to people as it is: {@code 5 of 8 tasks running}. */
  record NotYet<T>(String progress) implements ProbeResult<T> {}

  /**
   * It will never hold.
   *
   * @param type failure type the workflow branches on
   * @param message one line
   * @param retryable whether Temporal shall run the activity again, as its retry policy says
   */
  record Failed<T>(String type, String message, boolean retryable) implements ProbeResult<T> {}

  static <T> ProbeResult<T> done(@Nullable T result) {
    return new Done<>(result);
  }

  static <T> ProbeResult<T> notYet(String progress) {
    return new NotYet<>(progress);
  }

  /** The activity fails and the workflow decides. */
  static <T> ProbeResult<T> failed(String type, String message) {
    return new Failed<>(type, message, false);
  }

  /** The activity fails and Temporal runs it again. */
  static <T> ProbeResult<T> retry(String type, String message) {
    return new Failed<>(type, message, true);
  }
}
