package dev.sluice.workflows.walk;

/** What happens at which moment of a case. */
interface Script {

  /** Nothing happens. */
  Script NOTHING = (lane, point) -> {};

  /**
   * Called at each moment of each activity call, in the activity.
   *
   * @throws RuntimeException when the call is to fail here
   */
  void at(Lane lane, Point point);
}
