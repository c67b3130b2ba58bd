package dev.sluice.activities.async;

/**
 * Takes one look at what is waited for; may block. An exception means that nothing could be told,
 * except that a non-retryable {@link io.temporal.failure.ApplicationFailure} fails the activity.
 *
 * @param <T> what the activity returns
 */
@FunctionalInterface
public interface WaitProbe<T> {

  /**
   * Looks.
   *
   * @param guard to be asked right before anything is changed
   */
  ProbeResult<T> look(ActGuard guard);
}
