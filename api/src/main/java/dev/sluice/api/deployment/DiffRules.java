package dev.sluice.api.deployment;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.ServiceMetadata;
import java.util.Set;

/**
 * What a change of each field asks for: the rules of Apache's operator ({@code @SpecDiff} on its
 * spec classes), but for what is changed in place, which it restarts the job for. Everything not
 * named here asks for an upgrade.
 */
final class DiffRules {
  private static final String CONFIGURATION = "spec.flinkConfiguration.";
  private static final String INGRESS = "spec.ingress";
  private static final String SNAPSHOT = "spec.job.flinkStateSnapshotReference";

  private static final Set<String> IGNORED =
      Set.of(
          "spec.job.upgradeMode",
          "spec.job.initialSavepointPath",
          "spec.job.savepointTriggerNonce",
          "spec.job.checkpointTriggerNonce",
          "spec.job.allowNonRestoredState",
          "spec.job.autoscalerResetNonce");

  private DiffRules() {}

  /**
   * @param desired the newest of the two specs
   */
  static DiffKind kindOf(String path, boolean removed, FlinkDeploymentSpec desired) {
    boolean standalone = desired.mode() == KubernetesDeploymentMode.STANDALONE;
    if (path.startsWith(CONFIGURATION)) {
      return kindOfKey(path.substring(CONFIGURATION.length()), standalone);
    }
    if (path.equals(INGRESS) || path.startsWith(INGRESS + ".")) {
      return DiffKind.IN_PLACE;
    }
    if (IGNORED.contains(path) || path.startsWith(SNAPSHOT)) {
      return DiffKind.IGNORE;
    }
    return switch (path) {
      case "spec.restartNonce" -> removed ? DiffKind.IGNORE : DiffKind.UPGRADE;
      case "spec.job.savepointRedeployNonce" ->
          removed ? DiffKind.IGNORE : DiffKind.SAVEPOINT_REDEPLOY;
      case "spec.job.parallelism", "spec.taskManager.replicas" -> kindOfSize(desired, standalone);
      default -> DiffKind.UPGRADE;
    };
  }

  /** Reactive mode may be new: then the change of its key asks for more. */
  private static DiffKind kindOfSize(FlinkDeploymentSpec desired, boolean standalone) {
    if (ReactiveMode.scales(desired)) {
      return DiffKind.IN_PLACE;
    }
    return standalone ? DiffKind.SCALE : DiffKind.UPGRADE;
  }

  private static DiffKind kindOfKey(String key, boolean standalone) {
    if (ServiceMetadata.isDecidedBy(key)) {
      return DiffKind.IN_PLACE;
    }
    if (key.startsWith("job.autoscaler")
        || key.startsWith("parallelism.default")
        || key.startsWith("kubernetes.operator")) {
      return DiffKind.IGNORE;
    }
    if (key.startsWith("pipeline.jobvertex-parallelism-overrides") && !standalone) {
      return DiffKind.SCALE;
    }
    return DiffKind.UPGRADE;
  }
}
