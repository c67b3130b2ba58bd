package dev.sluice.api.deployment;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.FlinkClientKeys;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.common.SpecComparison;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What differs between the deployed and the newest spec, and what that requires.
 *
 * <p>Defaults that are written out, nested or flat configuration, and an empty or absent section
 * make no difference.
 *
 * @param kind the strongest kind of all changes; {@link DiffKind#IGNORE} when there are none
 * @param changes every field that differs, by path
 */
public record SpecDiff(DiffKind kind, List<SpecChange> changes) {
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
  private static final List<String> IGNORED_KEYS =
      List.of("job.autoscaler", "parallelism.default", "kubernetes.operator");

  public SpecDiff {
    changes = List.copyOf(changes);
  }

  /** Compares {@code deployed} with {@code desired}. Pure. */
  public static SpecDiff between(FlinkDeploymentSpec deployed, FlinkDeploymentSpec desired) {
    return of(
        SpecComparison.changes(
            SpecComparison.tree(deployed, deployed.configuration()),
            SpecComparison.tree(desired, desired.configuration()),
            (path, removed) -> kindOf(path, removed, desired)));
  }

  /**
   * What the change of a field asks for: the rules of Apache's operator ({@code @SpecDiff} on its
   * spec classes), but for what is changed in place, which it restarts the job for. Everything not
   * named here asks for an upgrade.
   */
  private static DiffKind kindOf(String path, boolean removed, FlinkDeploymentSpec desired) {
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
      case "spec.job.parallelism", "spec.taskManager.replicas" -> kindOfSize(desired, standalone);
      case "spec.restartNonce" -> removed ? DiffKind.IGNORE : DiffKind.UPGRADE;
      case "spec.job.savepointRedeployNonce" ->
          removed ? DiffKind.IGNORE : DiffKind.SAVEPOINT_REDEPLOY;
      default -> DiffKind.UPGRADE;
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
    if (key.startsWith(InPlaceScaling.OVERRIDES) && !standalone) {
      return DiffKind.SCALE;
    }
    return FlinkClientKeys.isWithoutEffect(key) || IGNORED_KEYS.stream().anyMatch(key::startsWith)
        ? DiffKind.IGNORE
        : DiffKind.UPGRADE;
  }

  /** What these changes require together. */
  public static SpecDiff of(List<SpecChange> changes) {
    DiffKind strongest =
        changes.stream().map(SpecChange::kind).reduce(DiffKind.IGNORE, DiffKind::or);
    return new SpecDiff(strongest, changes);
  }

  /** The changes, secrets masked; empty when they need no operation. */
  public List<String> changesByOperation() {
    return kind.needsOperation() ? changes.stream().map(SpecChange::toString).toList() : List.of();
  }

  /** All changes in one line, for events and logs. */
  public String describe() {
    return changes.stream().map(SpecChange::toString).collect(Collectors.joining(", "));
  }
}
