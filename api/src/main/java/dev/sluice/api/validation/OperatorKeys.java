package dev.sluice.api.validation;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HistoryCaps;
import dev.sluice.api.deployment.InPlaceScaling;
import java.util.List;
import java.util.Set;

/**
 * Keys for an operator that Sluice does not read: those of Apache's operator that have no
 * counterpart yet, and unknown ones.
 */
final class OperatorKeys implements SpecValidation.Rule {
  private static final String PREFIX = "kubernetes.operator.";
  private static final String AUTOSCALER = "job.autoscaler.";
  private static final String NOT_READ =
      "has no effect here. Check its spelling, or remove it: docs/flinkdeployment.md lists the keys"
          + " that are read, and settings of Sluice itself are in docs/configuration.md";
  private static final String NO_AUTOSCALER = "has no effect yet: there is no autoscaler";

  /** What some part of Sluice reads. */
  static final Set<String> READ =
      Set.of(
          ConfigKeys.BLOCK_ON_UNMANAGED,
          ConfigKeys.BLOCK_ON_SESSION_JOBS,
          ConfigKeys.SAVEPOINT_ON_DELETION,
          ConfigKeys.DRAIN_ON_DELETION,
          ConfigKeys.ROLLBACK,
          ConfigKeys.JM_RECOVERY,
          ConfigKeys.SHUTDOWN_TTL,
          ConfigKeys.HEALTH_CHECK,
          ConfigKeys.RESTARTS_WINDOW,
          ConfigKeys.RESTARTS_THRESHOLD,
          ConfigKeys.CHECKPOINT_PROGRESS,
          ConfigKeys.CHECKPOINT_WINDOW,
          ConfigKeys.RESTART_FAILED,
          ConfigKeys.LAST_STATE_FALLBACK,
          ConfigKeys.LAST_STATE_CANCEL,
          ConfigKeys.IGNORE_PENDING_SAVEPOINT,
          ConfigKeys.MAX_CHECKPOINT_AGE,
          ConfigKeys.DISPOSE_SAVEPOINTS,
          CheckpointType.KEY,
          ConfigKeys.SNAPSHOT_RESOURCES,
          ConfigKeys.PERIODIC_SAVEPOINT,
          ConfigKeys.PERIODIC_CHECKPOINT,
          ConfigKeys.SAVEPOINT_CLEANUP,
          ConfigKeys.HISTORY_COUNT,
          ConfigKeys.HISTORY_AGE,
          InPlaceScaling.ENABLED,
          "kubernetes.operator.deployment.readiness.timeout",
          ConfigKeys.STARTUP_PROBE,
          ConfigKeys.MERGE_BY_NAME,
          "kubernetes.operator.savepoint.format.type");

  /** What is read among the operator's defaults alone, because no resource may change it. */
  private static final Set<String> READ_OF_DEFAULTS = Set.of(HistoryCaps.COUNT, HistoryCaps.AGE);

  @Override
  public void check(Subject subject, Report report) {
    warn(subject.configuration(), READ, report);
  }

  /**
   * Names the keys of that configuration that nothing reads.
   *
   * @param read what some part of Sluice reads of them
   */
  static void warn(FlinkConfiguration configuration, Set<String> read, Report report) {
    boolean autoscaler = false;
    for (String key : configuration.asMap().keySet()) {
      if (key.startsWith(PREFIX) && !read.contains(key)) {
        report.warnKey(key, NOT_READ);
      }
      autoscaler |= key.startsWith(AUTOSCALER);
    }
    if (autoscaler) {
      report.warnKey(AUTOSCALER + "*", NO_AUTOSCALER);
    }
  }

  /** Warnings about those of these keys that nothing reads. */
  static List<Warning> unread(List<String> keys) {
    return keys.stream()
        .filter(key -> !READ_OF_DEFAULTS.contains(key))
        .filter(key -> key.startsWith(PREFIX) ? !READ.contains(key) : key.startsWith(AUTOSCALER))
        .map(key -> new Warning(key, key.startsWith(PREFIX) ? NOT_READ : NO_AUTOSCALER))
        .toList();
  }
}
