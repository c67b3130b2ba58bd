package dev.sluice.activities.flink;

/** Flink's {@code JobStatus}. */
public enum JobState {
  INITIALIZING,
  CREATED,
  RUNNING,
  FAILING,
  FAILED,
  CANCELLING,
  CANCELED,
  FINISHED,
  RESTARTING,
  SUSPENDED,
  RECONCILING,
  /** A state this client has no name for; never a reason to act. */
  UNKNOWN;

  /** Whether the job has ended for good: FINISHED, CANCELED or FAILED. */
  public boolean isGloballyTerminal() {
    return this == FINISHED || this == CANCELED || this == FAILED;
  }

  static JobState parse(String name) {
    for (JobState state : values()) {
      if (state.name().equals(name)) {
        return state;
      }
    }
    return UNKNOWN;
  }
}
