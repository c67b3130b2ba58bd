package dev.sluice.api.validation;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Values that Sluice itself reads must be of their type: a typing error is reported at once, not by
 * a step that fails half-way. Apache's operator finds out when it deploys.
 */
final class TypedKeyRules implements Rule {
  private static final String SAVEPOINT_FORMAT = "kubernetes.operator.savepoint.format.type";
  private static final String CHECKPOINT_INTERVAL = "execution.checkpointing.interval";
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
          "kubernetes.operator.pod-template.merge-arrays-by-name",
          "kubernetes.operator.jm-deployment.startup.probe.enabled");
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
    FlinkConfiguration own = subject.spec().configuration();
    SWITCHES.forEach(key -> Parsing.of(key, report, () -> own.bool(key)));
    Parsing.of(CHECKPOINT_INTERVAL, report, () -> own.duration(CHECKPOINT_INTERVAL));
    for (SnapshotType type : SnapshotType.values()) {
      Parsing.of(SnapshotInterval.key(type), report, () -> SnapshotInterval.of(own, type));
    }
    COUNTS.forEach(key -> checkCount(own, key, report));
    TIMEOUTS.forEach(key -> checkTimeout(own, key, report));
    Parsing.of(ConfigKeys.SHUTDOWN_TTL, report, () -> own.duration(ConfigKeys.SHUTDOWN_TTL))
        .flatMap(ttl -> ttl)
        .filter(ttl -> ttl.isNegative() || ttl.compareTo(LONGEST_TTL) > 0)
        .ifPresent(
            ttl ->
                report.add(
                    Subject.keyPath(ConfigKeys.SHUTDOWN_TTL),
                    "must be at least 0 and at most 36500 days, but is "
                        + Printable.quoted(own.getOrDefault(ConfigKeys.SHUTDOWN_TTL, ""))));
    own.get(CheckpointType.KEY)
        .filter(type -> CheckpointType.parse(type).isEmpty())
        .ifPresent(
            type ->
                report.add(
                    Subject.keyPath(CheckpointType.KEY),
                    "must be FULL, CONFIGURED or INCREMENTAL, but is " + Printable.quoted(type)));
    own.get(SAVEPOINT_FORMAT)
        .map(format -> format.trim().toUpperCase(Locale.ROOT))
        .filter(format -> !Set.of("CANONICAL", "NATIVE").contains(format))
        .ifPresent(
            format ->
                report.add(
                    Subject.keyPath(SAVEPOINT_FORMAT),
                    "must be CANONICAL or NATIVE, but is " + Printable.quoted(format)));
  }

  private static void checkCount(FlinkConfiguration own, String key, Report report) {
    Parsing.of(key, report, () -> own.integer(key))
        .flatMap(count -> count)
        .filter(count -> count < 1)
        .ifPresent(count -> report.add(Subject.keyPath(key), "must be at least 1, is " + count));
  }

  private static void checkTimeout(FlinkConfiguration own, String key, Report report) {
    Parsing.of(key, report, () -> own.duration(key))
        .flatMap(timeout -> timeout)
        .filter(
            timeout ->
                timeout.isZero() || timeout.isNegative() || timeout.compareTo(LONGEST_TIMEOUT) > 0)
        .ifPresent(
            timeout ->
                report.add(
                    Subject.keyPath(key),
                    "must be more than 0 and at most 365 days, but is "
                        + Printable.quoted(own.getOrDefault(key, ""))));
  }
}
