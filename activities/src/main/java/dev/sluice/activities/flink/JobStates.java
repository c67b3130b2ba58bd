package dev.sluice.activities.flink;

import dev.sluice.api.common.FlinkJobState;

/** Reads Flink's words for the state of a job. */
final class JobStates {

  private JobStates() {}

  /**
   * The state of that name. A word of a later Flink is RECONCILING: not known, and never a reason
   * to act.
   */
  static FlinkJobState parse(String word) {
    for (FlinkJobState state : FlinkJobState.values()) {
      if (state.name().equals(word)) {
        return state;
      }
    }
    return FlinkJobState.RECONCILING;
  }
}
