package dev.sluice.api.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;

/**
 * How many subtasks and TaskManagers a spec asks for. Defined for every spec, also an invalid one:
 * no number overflows or is negative.
 *
 * @param parallelism parallelism of the job; 0 when the spec does not say
 * @param slots task slots of one TaskManager, at least 1
 * @param taskManagers TaskManagers that this parallelism needs, at least 0
 */
public record ClusterSize(int parallelism, int slots, int taskManagers) {
  /** Flink's key of the task slots of one TaskManager. */
  public static final String SLOTS = "taskmanager.numberOfTaskSlots";

  /**
   * Flink's upper bound of a job's parallelism and of its maximum parallelism ({@code
   * KeyGroupRangeAssignment.UPPER_BOUND_MAX_PARALLELISM}).
   */
  public static final int MAX_PARALLELISM = 1 << 15;

  /** {@code taskManager.replicas} times the slots, or else what {@code job.parallelism} needs. */
  public static ClusterSize of(FlinkDeploymentSpec spec) {
    int slots = slots(spec.configuration());
    Integer replicas = spec.taskManager().replicas();
    if (replicas != null) {
      int taskManagers = Math.max(0, replicas);
      return new ClusterSize(saturated((long) taskManagers * slots), slots, taskManagers);
    }
    JobSpec job = spec.job();
    int parallelism = job == null ? 0 : Math.max(0, job.parallelism());
    return new ClusterSize(parallelism, slots, saturated(((long) parallelism + slots - 1) / slots));
  }

  /** What is no number is reported by validation; here it counts as Flink's default. */
  private static int slots(FlinkConfiguration configuration) {
    return Math.max(1, FlinkConfiguration.readable(() -> configuration.integer(SLOTS)).orElse(1));
  }

  private static int saturated(long number) {
    return (int) Math.min(Integer.MAX_VALUE, number);
  }
}
