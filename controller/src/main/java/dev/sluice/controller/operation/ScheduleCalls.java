package dev.sluice.controller.operation;

/**
 * What a controller asks of Temporal's schedules. Each call blocks, for a bounded time, and throws
 * a RuntimeException when Temporal does not answer or refuses it.
 */
public interface ScheduleCalls {

  /**
   * Makes the schedule, or changes it, unless it is so already. One that is paused stays paused.
   */
  void keep(Recurrence wanted);

  /** Deletes the schedule, if there is one. */
  void end(String id);
}
