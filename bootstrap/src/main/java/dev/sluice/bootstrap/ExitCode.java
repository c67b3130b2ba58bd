package dev.sluice.bootstrap;

/** How a Sluice process ends; the numbers are those of {@code sysexits.h} where one fits. */
public enum ExitCode {
  /** Asked to stop, and everything in flight was handed back in time. */
  OK(0),
  /** Something the process cannot go on without broke permanently, e.g. its HTTP port is taken. */
  UNAVAILABLE(69),
  /** A bug: an error that nothing handled. */
  INTERNAL(70),
  /** Asked to stop, and what was in flight did not end in time; Temporal gives it to others. */
  DRAIN_TIMED_OUT(75),
  /** A configuration value or a command-line argument is wrong; nothing was started. */
  CONFIGURATION(78);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** The number that the operating system sees. */
  public int number() {
    return number;
  }
}
