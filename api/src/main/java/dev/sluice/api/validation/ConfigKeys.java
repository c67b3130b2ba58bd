package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.List;
import java.util.Locale;

/** Keys of the Flink configuration that rules look at, with their older spellings. */
final class ConfigKeys {
  static final String ROLLBACK = "kubernetes.operator.deployment.rollback.enabled";
  static final String HEALTH_CHECK = "kubernetes.operator.cluster.health-check.enabled";
  static final String JM_RECOVERY = "kubernetes.operator.jm-deployment-recovery.enabled";
  static final String SAVEPOINT_ON_DELETION = "kubernetes.operator.job.savepoint-on-deletion";
  static final String PERIODIC_SAVEPOINT = "kubernetes.operator.periodic.savepoint.interval";
  static final String MAX_CHECKPOINT_AGE =
      "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age";

  /** As most manifests spell them; {@link #CHECKPOINT_DIRS} and so on are all that Flink reads. */
  static final String CHECKPOINT_DIR = "state.checkpoints.dir";

  static final String SAVEPOINT_DIR = "state.savepoints.dir";

  private static final List<String> CHECKPOINT_DIRS =
      List.of(CHECKPOINT_DIR, "execution.checkpointing.dir", "state.backend.fs.checkpointdir");
  private static final List<String> SAVEPOINT_DIRS =
      List.of(
          SAVEPOINT_DIR,
          "execution.checkpointing.savepoint-dir",
          "savepoints.state.backend.fs.dir");
  private static final List<String> HIGH_AVAILABILITY =
      List.of("high-availability.type", "high-availability");

  private ConfigKeys() {}

  static boolean hasCheckpointDir(FlinkConfiguration configuration) {
    return CHECKPOINT_DIRS.stream().anyMatch(configuration::has);
  }

  static boolean hasSavepointDir(FlinkConfiguration configuration) {
    return SAVEPOINT_DIRS.stream().anyMatch(configuration::has);
  }

  /** Anything but NONE: ZooKeeper, Kubernetes or the name of a factory class. */
  static boolean hasHighAvailability(FlinkConfiguration configuration) {
    return HIGH_AVAILABILITY.stream()
        .filter(configuration::has)
        .findFirst()
        .flatMap(configuration::get)
        .filter(type -> !type.trim().toUpperCase(Locale.ROOT).equals("NONE"))
        .isPresent();
  }

  /** Whether the switch is on; text that is no boolean is {@link TypedKeyRules}' business. */
  static boolean isOn(FlinkConfiguration configuration, String key, boolean otherwise) {
    return configuration
        .get(key)
        .map(text -> text.trim().toLowerCase(Locale.ROOT))
        .map(text -> otherwise ? !text.equals("false") : text.equals("true"))
        .orElse(otherwise);
  }
}
