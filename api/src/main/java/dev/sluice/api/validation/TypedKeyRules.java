package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Values the operator itself reads must be of their type: a typing error is told at once, not by a
 * step that fails half-way. Ours; Apache's operator finds out when it deploys.
 */
final class TypedKeyRules implements Rule {
  private static final List<String> SWITCHES =
      List.of(
          ConfigKeys.ROLLBACK,
          ConfigKeys.HEALTH_CHECK,
          ConfigKeys.JM_RECOVERY,
          ConfigKeys.SAVEPOINT_ON_DELETION);
  private static final List<String> DURATIONS =
      List.of(
          ConfigKeys.MAX_CHECKPOINT_AGE,
          "kubernetes.operator.deployment.readiness.timeout",
          "execution.checkpointing.interval",
          "execution.checkpointing.timeout");
  private static final List<String> WHOLE_NUMBERS = List.of("taskmanager.numberOfTaskSlots");

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.spec().configuration();
    SWITCHES.forEach(key -> check(own, key, FlinkConfiguration::bool, report));
    DURATIONS.forEach(key -> check(own, key, FlinkConfiguration::duration, report));
    WHOLE_NUMBERS.forEach(key -> check(own, key, FlinkConfiguration::integer, report));
    MemoryRules.SIZES.forEach(key -> check(own, key, FlinkConfiguration::memoryBytes, report));
  }

  private static <T> void check(
      FlinkConfiguration configuration,
      String key,
      BiFunction<FlinkConfiguration, String, Optional<T>> getter,
      Report report) {
    try {
      Optional<T> unused = getter.apply(configuration, key);
    } catch (IllegalArgumentException e) {
      String message = Objects.requireNonNullElse(e.getMessage(), "");
      report.add(Subject.keyPath(key), message.replace(key + ": ", ""));
    }
  }
}
