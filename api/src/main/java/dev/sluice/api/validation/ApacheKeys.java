package dev.sluice.api.validation;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is said of keys of Apache's operator that no part of Sluice reads. */
final class ApacheKeys {
  private static final String NOT_YET = "has no effect: not implemented yet, ";
  private static final String OWN_PAUSES =
      "has no effect: a FlinkStateSnapshot has pauses of its own between its attempts";
  private static final String OF_THE_OPERATOR =
      "has no effect: it is a setting of Apache's operator itself, not of one resource. Those of"
          + " Sluice are environment variables, see docs/configuration.md";

  /** Prefixes of the settings of Apache's operator itself. */
  private static final List<String> OPERATOR =
      List.of(
          "reconcile.",
          "observer.",
          "flink.client.",
          "job.submission.timeout",
          "resource.",
          "rate-limiter.",
          "retry.",
          "watched.namespaces",
          "dynamic.",
          "label.selector",
          "leader-election.",
          "exception.",
          "user.artifacts.",
          "config.cache.",
          "health.",
          "startup.",
          "termination.",
          "ingress.manage",
          "events.",
          "metrics.",
          "josdk.",
          "jvm.",
          "kubernetes.client.");

  /** What is said of other prefixes. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "savepoint.trigger.",
          OWN_PAUSES,
          "checkpoint.trigger.",
          OWN_PAUSES,
          "savepoint.history.",
          "has no effect: a limit for all resources stands in the operator's defaults",
          "bluegreen.",
          "has no effect here: it stands in spec.configuration of a FlinkBlueGreenDeployment",
          "plugins.",
          "has no effect: there are no plugins",
          "cluster.resource-view.",
          NOT_YET + "there is no autoscaler",
          "default-configuration.",
          "has no effect: defaults stand in the operator's file, see docs/configuration.md",
          "user.artifacts.http.header",
          "has no effect here: it is read in the flinkConfiguration of a FlinkSessionJob. For all of"
              + " them there is SLUICE_ARTIFACT_HEADERS, see docs/configuration.md");

  private ApacheKeys() {}

  /**
   * Why it has no effect; empty when Apache's operator does not know it either.
   *
   * @param key without {@code kubernetes.operator.}
   */
  static Optional<String> message(String key) {
    return OTHERS.entrySet().stream()
        .filter(other -> key.startsWith(other.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(
            () ->
                OPERATOR.stream()
                    .filter(key::startsWith)
                    .findFirst()
                    .map(found -> OF_THE_OPERATOR));
  }
}
