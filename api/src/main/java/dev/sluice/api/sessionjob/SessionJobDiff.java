package dev.sluice.api.sessionjob;

import dev.sluice.api.deployment.SpecDiff;

/** What differs between two specs of a FlinkSessionJob, and what that requires. */
public final class SessionJobDiff {
  private SessionJobDiff() {}

  /**
   * Compares {@code deployed} with {@code desired}. Pure. Defaults that are written out, and nested
   * or flat configuration, make no difference.
   */
  public static SpecDiff between(FlinkSessionJobSpec deployed, FlinkSessionJobSpec desired) {
    return SpecDiff.between(deployed.asDeployment(), desired.asDeployment());
  }
}
