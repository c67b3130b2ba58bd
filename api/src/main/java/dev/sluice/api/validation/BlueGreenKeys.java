package dev.sluice.api.validation;

import dev.sluice.api.Annotations;
import dev.sluice.api.bluegreen.BlueGreenOptions;
import dev.sluice.api.bluegreen.CutOver;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code spec.configuration} of a FlinkBlueGreenDeployment, and annotations on it. */
final class BlueGreenKeys {
  private static final String PATH = "spec.configuration.";
  private static final String RESCHEDULE =
      "kubernetes.operator.bluegreen.reconciliation.reschedule-interval";

  private static final Set<String> KNOWN =
      Set.of(
          BlueGreenOptions.GRACE,
          BlueGreenOptions.DELETION_DELAY,
          BlueGreenOptions.ON_ABORT,
          BlueGreenOptions.CUT_OVER,
          BlueGreenOptions.CHECKPOINTS,
          BlueGreenOptions.NO_RESTART,
          BlueGreenOptions.METRIC,
          BlueGreenOptions.METRIC_MAX);

  /** What people may take for requests to the parent, which are for the child that is live. */
  private static final List<String> OF_CHILDREN = List.of(Annotations.ROLLBACK);

  private static final List<String> OF_TEMPLATE = List.of(Annotations.STABLE_AFTER);

  private final Map<String, String> configuration;

  BlueGreenKeys(Map<String, String> configuration) {
    this.configuration = configuration;
  }

  /** What is wrong with the values. */
  void check(Report report) {
    BlueGreenOptions.problems(configuration).forEach((key, why) -> report.add(PATH + key, why));
    BlueGreenOptions options = BlueGreenOptions.of(configuration);
    if (options.cutOver() == CutOver.EXACTLY_ONCE) {
      report.add(
          PATH + BlueGreenOptions.CUT_OVER, "exactly-once is not supported yet: use duplicate");
    }
    if (options.gates().noRestartFor().compareTo(options.grace()) >= 0) {
      report.add(
          PATH + BlueGreenOptions.NO_RESTART,
          "must be shorter than %s (%s): the transition would be given up before"
              .formatted(BlueGreenOptions.GRACE, options.grace()));
    }
  }

  /** What has no effect. */
  void warn(Report report) {
    configuration
        .keySet()
        .forEach(
            key -> {
              if (key.equals(RESCHEDULE)) {
                report.warn(
                    PATH + key, "has no effect: what is waited for is watched, not asked for");
              } else if (!KNOWN.contains(key)) {
                report.warn(PATH + key, unknown(key));
              }
            });
  }

  private static String unknown(String key) {
    return key.startsWith("kubernetes.operator.bluegreen.") || key.startsWith("sluice.bluegreen.")
        ? "has no effect: Sluice does not know this key. Check its spelling, or remove it"
        : "has no effect: only keys of transitions are read here. Flink configuration stands in"
            + " spec.template.spec.flinkConfiguration";
  }

  /** Annotations on the parent that mean something on a child. */
  static void warnOfAnnotations(Map<String, String> annotations, Report report) {
    OF_CHILDREN.stream()
        .filter(annotations::containsKey)
        .forEach(
            name ->
                report.warn(
                    "metadata.annotations." + name,
                    "has no effect on a FlinkBlueGreenDeployment. Annotate the FlinkDeployment that"
                        + " is live"));
    OF_TEMPLATE.stream()
        .filter(annotations::containsKey)
        .forEach(
            name ->
                report.warn(
                    "metadata.annotations." + name,
                    "has no effect on a FlinkBlueGreenDeployment. Put it into"
                        + " spec.template.metadata.annotations"));
  }
}
