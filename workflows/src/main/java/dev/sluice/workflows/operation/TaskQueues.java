package dev.sluice.workflows.operation;

/** How task queues are named: each Kubernetes cluster has its own. */
public final class TaskQueues {

  private TaskQueues() {}

  /**
   * The queue of a Kubernetes cluster, unless {@code SLUICE_TASK_QUEUE} names another.
   *
   * @param kubernetes its identity, see {@code ResourceRef.kubernetes}
   */
  public static String of(String kubernetes) {
    return "sluice-" + kubernetes;
  }
}
