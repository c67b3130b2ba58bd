package dev.sluice.api.validation;

import dev.sluice.api.common.CheckpointInterval;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.KubernetesOptions;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.ClusterSize;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values that Sluice itself reads must be of their type: a typing error is reported at once, not by
 * a step that fails half-way. Apache's operator finds out when it deploys.
 */
final class TypedKeyRules implements SpecValidation.Rule {
  private static final String SAVEPOINT_FORMAT = "kubernetes.operator.savepoint.format.type";
  private static final String MAX_PARALLELISM = "pipeline.max-parallelism";
  private static final List<String> FRACTIONS =
      List.of(
          "jobmanager.memory.jvm-overhead.fraction",
          "taskmanager.memory.jvm-overhead.fraction",
          "taskmanager.memory.network.fraction");

  /** Flink ignores those that are negative. */
  private static final List<String> CORES =
      List.of(
          "kubernetes.taskmanager.cpu",
          "kubernetes.taskmanager.cpu.amount",
          "taskmanager.cpu.cores");

  private static final List<String> SWITCHES =
      List.of(
          ConfigKeys.ROLLBACK,
          ConfigKeys.HEALTH_CHECK,
          ConfigKeys.CHECKPOINT_PROGRESS,
          ConfigKeys.JM_RECOVERY,
          ConfigKeys.RESTART_FAILED,
          ConfigKeys.BLOCK_ON_UNMANAGED,
          ConfigKeys.BLOCK_ON_SESSION_JOBS,
          ConfigKeys.SAVEPOINT_ON_DELETION,
          ConfigKeys.DRAIN_ON_DELETION,
          ConfigKeys.LAST_STATE_FALLBACK,
          ConfigKeys.LAST_STATE_CANCEL,
          ConfigKeys.IGNORE_PENDING_SAVEPOINT,
          ConfigKeys.DISPOSE_SAVEPOINTS,
          ConfigKeys.SAVEPOINT_CLEANUP,
          ConfigKeys.SNAPSHOT_RESOURCES,
          ConfigKeys.REST_TLS,
          ConfigKeys.ALL_TLS,
          "security.ssl.rest.authentication-enabled",
          "kubernetes.hostnetwork.enabled",
          ConfigKeys.MERGE_BY_NAME,
          ConfigKeys.STARTUP_PROBE);
  private static final List<String> COUNTS =
      List.of(ConfigKeys.RESTARTS_THRESHOLD, ConfigKeys.HISTORY_COUNT);
  private static final List<String> TIMEOUTS =
      List.of(
          ConfigKeys.MAX_CHECKPOINT_AGE,
          ConfigKeys.HISTORY_AGE,
          ConfigKeys.RESTARTS_WINDOW,
          ConfigKeys.CHECKPOINT_WINDOW,
          "kubernetes.operator.deployment.readiness.timeout",
          "execution.checkpointing.timeout");
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

  // so that it can be as good as for ever, and is still a time
  private static final Duration LONGEST_TTL = Duration.ofDays(36_500);

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.configuration();
    KubernetesOptions options = new KubernetesOptions(own);
    for (String service : List.of(ServiceMetadata.REST, ServiceMetadata.INTERNAL)) {
      report.read(service + ".labels", () -> options.map(service + ".labels"));
      report.read(service + ".annotations", () -> options.map(service + ".annotations"));
    }
    SWITCHES.forEach(key -> report.read(key, () -> own.bool(key)));
    report.read(CheckpointInterval.KEY, () -> own.duration(CheckpointInterval.KEY));
    for (SnapshotType type : SnapshotType.values()) {
      report.read(SnapshotInterval.key(type), () -> SnapshotInterval.of(own, type));
    }
    checkCounts(own, report);
    TIMEOUTS.forEach(
        key -> checkTime(own, key, Duration.ofNanos(1), LONGEST_TIMEOUT, "more than 0", report));
    checkTime(own, ConfigKeys.SHUTDOWN_TTL, Duration.ZERO, LONGEST_TTL, "at least 0", report);
    checkCheckpointType(subject, report);
    own.get(SAVEPOINT_FORMAT)
        .map(format -> format.trim().toUpperCase(Locale.ROOT))
        .filter(format -> !Set.of("CANONICAL", "NATIVE").contains(format))
        .ifPresent(
            format ->
                report.addKey(
                    SAVEPOINT_FORMAT,
                    "must be CANONICAL or NATIVE, but is " + Printable.quoted(format)));
  }

  private static void checkCounts(FlinkConfiguration own, Report report) {
    COUNTS.forEach(key -> checkWhole(own, key, Integer.MAX_VALUE, report));
    checkWhole(own, ClusterSize.SLOTS, ClusterSize.MAX_PARALLELISM, report);
    if (!own.getOrDefault(MAX_PARALLELISM, "").trim().equals("-1")) { // Flink's "not set"
      checkWhole(own, MAX_PARALLELISM, ClusterSize.MAX_PARALLELISM, report);
    }
    FRACTIONS.forEach(key -> checkDecimal(own, key, 0.99, "0.99", report));
    CORES.forEach(key -> checkDecimal(own, key, 1_000_000, "1000000", report));
  }

  private static void checkDecimal(
      FlinkConfiguration own, String key, double most, String shownMost, Report report) {
    report.check(
        key,
        () -> Optional.of(new KubernetesOptions(own).number(key, 0)),
        number -> number >= 0 && number <= most,
        number -> "must be between 0 and %s, but is %s".formatted(shownMost, number));
  }

  private static void checkWhole(FlinkConfiguration own, String key, int most, Report report) {
    if (own.get(key).filter(String::isBlank).isPresent()) {
      report.addKey(key, "must be a whole number, but is empty. Remove it");
    }
    report.check(
        key,
        () -> own.integer(key),
        number -> number >= 1 && number <= most,
        number ->
            most == Integer.MAX_VALUE
                ? "must be at least 1, but is " + number
                : "must be between 1 and %d, but is %d".formatted(most, number));
  }

  private static void checkTime(
      FlinkConfiguration own,
      String key,
      Duration least,
      Duration most,
      String shownLeast,
      Report report) {
    report.check(
        key,
        () -> own.duration(key),
        time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0,
        time ->
            "must be %s and at most %d days, but is %s"
                .formatted(shownLeast, most.toDays(), Printable.quoted(own.getOrDefault(key, ""))));
  }

  /** What Flink would refuse each time is refused before the first. */
  private static void checkCheckpointType(Subject subject, Report report) {
    FlinkConfiguration own = subject.configuration();
    String type = own.get(CheckpointType.KEY).orElse(null);
    FlinkVersion version = subject.spec().flinkVersion();
    if (type != null && CheckpointType.parse(type).isEmpty()) {
      report.addKey(
          CheckpointType.KEY,
          "must be FULL, CONFIGURED or INCREMENTAL, but is " + Printable.quoted(type));
    } else if (isAskedFor(own, subject.spec().job())
        && version != null
        && version.takesCheckpoints()
        && !CheckpointType.of(own).isTakenBy(version)) {
      report.addKey(
          CheckpointType.KEY,
          "must not be INCREMENTAL: Flink %s cannot be asked for an incremental checkpoint"
                  .formatted(version.dotted())
              + " (FLINK-33723). Set FULL or CONFIGURED, with which the job's own configuration"
              + " decides");
    }
  }

  private static boolean isAskedFor(FlinkConfiguration own, @Nullable JobSpec job) {
    return own.has(ConfigKeys.PERIODIC_CHECKPOINT)
        || (job != null && job.checkpointTriggerNonce() != null);
  }
}
