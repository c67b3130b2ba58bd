package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkConfiguration;

/**
 * What a configuration says about bringing a lost job back.
 *
 * @param missing its JobManager Deployment is gone
 * @param failed it is FAILED
 */
record RecoveryOptions(boolean missing, boolean failed) {

  private static final String MISSING = "kubernetes.operator.jm-deployment-recovery.enabled";
  private static final String FAILED = "kubernetes.operator.job.restart.failed";

  /** One that was deployed may not be valid today: what is no switch is as if it were not set. */
  static RecoveryOptions of(FlinkConfiguration configuration) {
    return new RecoveryOptions(
        !is(configuration, MISSING, "false"), is(configuration, FAILED, "true"));
  }

  private static boolean is(FlinkConfiguration configuration, String key, String value) {
    return configuration.get(key).filter(it -> it.trim().equalsIgnoreCase(value)).isPresent();
  }
}
