package dev.sluice.api.sessionjob;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.JobChanges;
import dev.sluice.api.common.SpecComparison;
import dev.sluice.api.deployment.SpecDiff;

/** What differs between two specs of a FlinkSessionJob, and what that requires. */
public final class SessionJobDiff {
  private static final String CONFIGURATION = "spec.flinkConfiguration.";

  private SessionJobDiff() {}

  /**
   * Compares {@code deployed} with {@code desired}. Pure. Defaults that are written out, and nested
   * or flat configuration, make no difference.
   */
  public static SpecDiff between(FlinkSessionJobSpec deployed, FlinkSessionJobSpec desired) {
    return SpecDiff.of(
        SpecComparison.changes(
            SpecComparison.tree(deployed, deployed.configuration()),
            SpecComparison.tree(desired, desired.configuration()),
            SessionJobDiff::kindOf));
  }

  private static DiffKind kindOf(String path, boolean removed) {
    return path.startsWith(CONFIGURATION)
        ? JobChanges.kindOfKey(path.substring(CONFIGURATION.length()))
        : JobChanges.kindOf(path, removed);
  }
}
