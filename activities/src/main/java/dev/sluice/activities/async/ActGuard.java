package dev.sluice.activities.async;

/**
 * Whether an attempt of an activity may still change anything. When Temporal has not acknowledged a
 * heartbeat for too long, or the wait has ended, another attempt may be at work elsewhere: two of
 * them must not act on the same job.
 */
@FunctionalInterface
public interface ActGuard {

  /** Asked right before each effect, because the look that leads to it may have begun long ago. */
  boolean mayAct();

  /**
   * Right before an effect.
   *
   * @throws NotLeasedException when it must not be started
   */
  default void check() {
    if (!mayAct()) {
      throw new NotLeasedException();
    }
  }

  final class NotLeasedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NotLeasedException() {
      super("Temporal has not acknowledged a heartbeat lately, so nothing is changed");
    }
  }
}
