package dev.sluice.e2e.crash;

import java.util.Locale;

/** When a process is killed, seen from a step. */
enum KillMoment {
  /** The step's activity was handed to a worker and has done nothing. */
  BEFORE,
  /** The activity has gone on, and a random time has passed: milliseconds. */
  DURING,
  /**
   * The activity has done what it does, and nobody knows it yet. One that waits has seen what it
   * waits for.
   */
  AFTER;

  /** As on the command line and in reports. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
