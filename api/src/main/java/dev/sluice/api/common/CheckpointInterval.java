package dev.sluice.api.common;

import org.jspecify.annotations.Nullable;

/** How often a job takes a checkpoint where its spec does not say. */
public final class CheckpointInterval {

  /** The Flink option, a duration. */
  public static final String KEY = "execution.checkpointing.interval";

  private static final String LAST_STATE = "5 min";

  private CheckpointInterval() {}

  /**
   * The configuration with which the cluster is made: a job that is upgraded from its last state
   * needs checkpoints.
   *
   * @param configuration of the spec, over the operator's defaults
   * @param job null for a session cluster
   */
  public static FlinkConfiguration effective(
      FlinkConfiguration configuration, @Nullable JobSpec job) {
    boolean isSet = configuration.has(KEY);
    return job == null || job.upgradeMode() != UpgradeMode.LAST_STATE || isSet
        ? configuration
        : configuration.with(KEY, LAST_STATE);
  }
}
