package dev.sluice.api.validation;

import java.util.List;
import java.util.Optional;

/** What is said of keys of Apache's operator that no part of Sluice reads. */
final class ApacheKeys {
  private static final String NOT_YET = "has no effect: not implemented yet, ";
  private static final String OWN_PAUSES =
      "has no effect: a FlinkStateSnapshot has pauses of its own between its attempts";
  private static final String OF_THE_OPERATOR =
      "has no effect: it is a setting of Apache's operator itself, not of one resource. Those of"
          + " Sluice are environment variables, see docs/configuration.md";

  /** The first prefix that fits decides. */
  private static final List<Row> ROWS =
      List.of(
          new Row("savepoint.trigger.", OWN_PAUSES),
          new Row("checkpoint.trigger.", OWN_PAUSES),
          new Row(
              "savepoint.history.",
              "has no effect: a limit for all resources stands in the operator's defaults"),
          new Row(
              "bluegreen.",
              "has no effect here: it stands in spec.configuration of a FlinkBlueGreenDeployment"),
          new Row("plugins.", "has no effect: there are no plugins"),
          new Row("cluster.resource-view.", NOT_YET + "there is no autoscaler"),
          new Row(
              "default-configuration.",
              "has no effect: defaults stand in the operator's file, see docs/configuration.md"),
          new Row("reconcile.", OF_THE_OPERATOR),
          new Row("observer.", OF_THE_OPERATOR),
          new Row("flink.client.", OF_THE_OPERATOR),
          new Row("job.submission.timeout", OF_THE_OPERATOR),
          new Row("resource.", OF_THE_OPERATOR),
          new Row("rate-limiter.", OF_THE_OPERATOR),
          new Row("retry.", OF_THE_OPERATOR),
          new Row("watched.namespaces", OF_THE_OPERATOR),
          new Row("dynamic.", OF_THE_OPERATOR),
          new Row("label.selector", OF_THE_OPERATOR),
          new Row("leader-election.", OF_THE_OPERATOR),
          new Row("exception.", OF_THE_OPERATOR),
          new Row(
              "user.artifacts.http.header",
              "has no effect here: it is read in the flinkConfiguration of a FlinkSessionJob. For"
                  + " all of them there is SLUICE_ARTIFACT_HEADERS, see docs/configuration.md"),
          new Row("user.artifacts.", OF_THE_OPERATOR),
          new Row("config.cache.", OF_THE_OPERATOR),
          new Row("health.", OF_THE_OPERATOR),
          new Row("startup.", OF_THE_OPERATOR),
          new Row("termination.", OF_THE_OPERATOR),
          new Row("ingress.manage", OF_THE_OPERATOR),
          new Row("events.", OF_THE_OPERATOR),
          new Row("metrics.", OF_THE_OPERATOR),
          new Row("josdk.", OF_THE_OPERATOR),
          new Row("jvm.", OF_THE_OPERATOR),
          new Row("kubernetes.client.", OF_THE_OPERATOR));

  private ApacheKeys() {}

  /**
   * Why it has no effect; empty when Apache's operator does not know it either.
   *
   * @param key without {@code kubernetes.operator.}
   */
  static Optional<String> message(String key) {
    return ROWS.stream().filter(row -> key.startsWith(row.prefix)).map(Row::message).findFirst();
  }

  private record Row(String prefix, String message) {}
}
