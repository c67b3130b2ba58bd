package dev.sluice.api.deployment;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.JobChanges;
import dev.sluice.api.common.ServiceMetadata;

/**
 * What a change of each field asks for: the rules of Apache's operator ({@code @SpecDiff} on its
 * spec classes), but for what is changed in place, which it restarts the job for. Everything not
 * named here or in {@link JobChanges} asks for an upgrade.
 */
final class DiffRules {
  private static final String CONFIGURATION = "spec.flinkConfiguration.";
  private static final String INGRESS = "spec.ingress";

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
    return switch (path) {
      case "spec.job.parallelism", "spec.taskManager.replicas" -> kindOfSize(desired, standalone);
      default -> JobChanges.kindOf(path, removed);
    };
  }

  /** Reactive mode may be new: then the change of its key asks for more. */
  private static DiffKind kindOfSize(FlinkDeploymentSpec desired, boolean standalone) {
    if (TaskManagerScaling.scales(desired)) {
      return DiffKind.IN_PLACE;
    }
    return standalone ? DiffKind.SCALE : DiffKind.UPGRADE;
  }

  private static DiffKind kindOfKey(String key, boolean standalone) {
    if (ServiceMetadata.isDecidedBy(key)) {
      return DiffKind.IN_PLACE;
    }
    if (key.startsWith("pipeline.jobvertex-parallelism-overrides") && !standalone) {
      return DiffKind.SCALE;
    }
    return JobChanges.kindOfKey(key);
  }
}
