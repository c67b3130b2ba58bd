package dev.sluice.api.deployment;

/**
 * Which TaskManagers come and go while the jobs on them go on, without an operation: those of a job
 * in {@linkplain ReactiveMode reactive mode}, and those of a session cluster in standalone mode.
 */
public final class TaskManagerScaling {
  private TaskManagerScaling() {}

  /**
   * Whether those that this spec asks for may. Reactive mode that only the operator's defaults
   * switch on does not count, so that all who compare two specs see the same.
   */
  public static boolean scales(FlinkDeploymentSpec spec) {
    return spec.mode() == KubernetesDeploymentMode.STANDALONE
        && (!spec.isApplication() || ReactiveMode.isOn(spec.configuration()));
  }

  /**
   * How many TaskManagers a cluster is to have for what another spec asks for: its {@code
   * taskManager.replicas}, or else as many as its parallelism needs. They have the slots of the
   * spec that the cluster is made from, whatever the other one says: it may be one that was given
   * up.
   *
   * @param runs what the cluster is made from, with the operator's defaults
   * @param newest the spec that says how many; valid
   * @return at least 1
   */
  public static int taskManagers(FrozenSpec runs, FlinkDeploymentSpec newest) {
    FlinkDeploymentSpec there = newest.withConfiguration(runs.effective().configuration());
    return Math.max(1, ClusterSize.of(there).taskManagers());
  }
}
