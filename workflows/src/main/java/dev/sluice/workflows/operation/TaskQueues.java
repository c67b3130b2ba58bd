package dev.sluice.workflows.operation;

import org.jspecify.annotations.Nullable;

/** How task queues are named: each Kubernetes cluster has its own. */
public final class TaskQueues {

  private TaskQueues() {}

  /**
   * The queue of a Kubernetes cluster.
   *
   * @param kubernetes its identity, see {@code ResourceRef.kubernetes}
   * @param configured the whole name, from {@code SLUICE_TASK_QUEUE}; null for the default
   */
  public static String of(String kubernetes, @Nullable String configured) {
    return configured == null ? "sluice-" + kubernetes : configured;
  }

  /**
   * The queue of the activities that wait, so that no short one queues behind them.
   *
   * @param queue of the workflows and the short activities
   */
  public static String waits(String queue) {
    return queue + "-waits";
  }
}
