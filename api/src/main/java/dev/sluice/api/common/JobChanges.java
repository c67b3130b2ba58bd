package dev.sluice.api.common;

import java.util.Set;

/**
 * What a change of a field asks for that every kind with a job has: the rules of Apache's operator
 * ({@code @SpecDiff} on its spec classes). Everything not named here asks for an upgrade.
 */
public final class JobChanges {
  private static final String SNAPSHOT = "spec.job.flinkStateSnapshotReference";

  private static final Set<String> IGNORED =
      Set.of(
          "spec.job.upgradeMode",
          "spec.job.initialSavepointPath",
          "spec.job.savepointTriggerNonce",
          "spec.job.checkpointTriggerNonce",
          "spec.job.allowNonRestoredState",
          "spec.job.autoscalerResetNonce");

  private JobChanges() {}

  /** What the change of that field asks for. */
  public static DiffKind kindOf(String path, boolean removed) {
    if (IGNORED.contains(path) || path.startsWith(SNAPSHOT)) {
      return DiffKind.IGNORE;
    }
    return switch (path) {
      case "spec.restartNonce" -> removed ? DiffKind.IGNORE : DiffKind.UPGRADE;
      case "spec.job.savepointRedeployNonce" ->
          removed ? DiffKind.IGNORE : DiffKind.SAVEPOINT_REDEPLOY;
      default -> DiffKind.UPGRADE;
    };
  }

  /** What the change of that key of the Flink configuration asks for. */
  public static DiffKind kindOfKey(String key) {
    return key.startsWith("job.autoscaler")
            || key.startsWith("parallelism.default")
            || key.startsWith("kubernetes.operator")
            || FlinkClientKeys.isWithoutEffect(key)
        ? DiffKind.IGNORE
        : DiffKind.UPGRADE;
  }
}
