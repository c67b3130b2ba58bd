package dev.sluice.api.deployment;

import dev.sluice.api.common.FlinkConfiguration;

/**
 * Flink's reactive mode: the job takes all slots there are, and goes on with more or fewer of them
 * when TaskManagers come or go.
 */
public final class ReactiveMode {
  /** The key that switches it on, with the value {@code reactive}. */
  public static final String KEY = "scheduler-mode";

  private ReactiveMode() {}

  /** Whether this Flink configuration switches it on. */
  public static boolean isOn(FlinkConfiguration configuration) {
    return configuration
        .get(KEY)
        .filter(mode -> mode.trim().equalsIgnoreCase("reactive"))
        .isPresent();
  }

  /**
   * Whether the TaskManagers that this spec asks for may come and go while its job goes on: it
   * switches reactive mode on, where Flink has it. One that only the operator's defaults switch on
   * does not count, so that all who compare two specs see the same.
   */
  public static boolean scales(FlinkDeploymentSpec spec) {
    return spec.mode() == KubernetesDeploymentMode.STANDALONE
        && spec.isApplication()
        && isOn(spec.configuration());
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
