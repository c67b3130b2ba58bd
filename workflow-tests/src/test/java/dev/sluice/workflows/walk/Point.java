package dev.sluice.workflows.walk;

/**
 * A moment of one activity call of a lane.
 *
 * @param call which call of the lane it is, from 1; a retry is another call
 * @param step the activity type
 * @param moment where in the call
 */
record Point(int call, String step, Moment moment) {

  /** Where in a call. */
  enum Moment {
    /** Nothing is done yet. */
    BEFORE,
    /** The effect is half done, or the wait has begun. */
    DURING,
    /** The effect is done, its answer not given. */
    AFTER
  }
}
