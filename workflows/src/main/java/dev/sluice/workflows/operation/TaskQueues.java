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
}
