package dev.sluice.controller.observation;

import dev.sluice.api.condition.Reasons;
import java.time.Instant;

/**
 * What keeps a process of a cluster from running, or ended it.
 *
 * @param reason a constant of {@link Reasons}
 * @param component whose process it is
 * @param message which container of which pod, why, and what to do; whole sentences
 * @param lasting nothing changes by itself; false for what Kubernetes and Flink may get over
 * @param at when it happened, or when the pod was made that has it
 */
public record ClusterProblem(
    String reason, Component component, String message, boolean lasting, Instant at) {

  /** The two kinds of processes. */
  public enum Component {
    JOB_MANAGER("JobManager"),
    TASK_MANAGER("TaskManager");

    private final String word;

    Component(String word) {
      this.word = word;
    }

    /** As people write it. */
    public String word() {
      return word;
    }
  }
}
