package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.api.deployment.InPlaceScaling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which keys of the Flink configuration mean something for a job on a session cluster. */
public final class SessionJobKeys {
  private static final String OPERATOR = "kubernetes.operator.";

  /** What the operator reads of a session cluster, and of none of its jobs. */
  private static final Set<String> OPERATOR_OF_CLUSTER =
      Set.of(
          ConfigKeys.BLOCK_ON_SESSION_JOBS,
          ConfigKeys.BLOCK_ON_UNMANAGED,
          ConfigKeys.STARTUP_PROBE,
          ConfigKeys.MERGE_BY_NAME);

  /** By what a job counts as healthy. */
  private static final Set<String> HEALTH =
      Set.of(
          ConfigKeys.RESTARTS_WINDOW,
          ConfigKeys.RESTARTS_THRESHOLD,
          ConfigKeys.CHECKPOINT_PROGRESS,
          ConfigKeys.CHECKPOINT_WINDOW);

  /** What the processes of a cluster read when they start. */
  private static final List<String> OF_CLUSTER =
      List.of(
          "kubernetes.",
          "jobmanager.",
          "taskmanager.",
          "high-availability",
          "rest.",
          "web.",
          "blob.",
          "security.",
          "metrics.",
          "env.",
          "containerized.",
          "process.",
          "cluster.",
          "resourcemanager.",
          "slotmanager.",
          "pekko.",
          "akka.",
          "fs.",
          "s3.");

  /** What an application has of these, a session job has not, or not yet. */
  private static final Map<String, String> WITHOUT_EFFECT =
      Map.of(
          ConfigKeys.HEALTH_CHECK, "has no effect yet: a FlinkSessionJob is not checked for health",
          ConfigKeys.SHUTDOWN_TTL,
              "has no effect: the JobManager is that of the session cluster, and stays when a job ends",
          InPlaceScaling.ENABLED,
              "has no effect: a FlinkSessionJob is not rescaled in place. Another parallelism is an upgrade");

  private SessionJobKeys() {}

  /** What some part of Sluice reads, or {@link #withoutEffect} explains. */
  static Set<String> known() {
    return Stream.concat(OperatorKeys.READ.stream(), Stream.of(ConfigKeys.ARTIFACT_HEADERS))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Why a key means nothing here; empty when it does. */
  static Optional<String> withoutEffect(String key) {
    if (key.equals(ConfigKeys.LAST_STATE_CANCEL)) {
      return Optional.of(
          "has no effect: with last-state the job is always cancelled, because its cluster stays");
    }
    if (HEALTH.contains(key)) {
      return Optional.ofNullable(WITHOUT_EFFECT.get(ConfigKeys.HEALTH_CHECK));
    }
    if (RestoreKeys.PATHS.contains(key)) {
      return Optional.of("has no effect: spec.job.initialSavepointPath decides. Remove it");
    }
    if (key.equals("execution.target") || key.startsWith("$internal.")) {
      return Optional.of("has no effect: it is not sent to the session cluster. Remove it");
    }
    return Optional.ofNullable(WITHOUT_EFFECT.get(key));
  }

  /**
   * What a job runs with: its own configuration over that of its cluster. Of the keys that the
   * processes of the cluster read, only the cluster's own values are true: where its REST API is,
   * and whether it keeps metadata.
   */
  public static FlinkConfiguration merged(FlinkConfiguration cluster, FlinkConfiguration job) {
    Map<String, String> ofJob = new TreeMap<>(job.asMap());
    ofJob.keySet().removeIf(SessionJobKeys::isOfCluster);
    return cluster.withAll(ofJob);
  }

  static boolean isOfOperator(String key) {
    return key.startsWith(OPERATOR) || key.startsWith("job.autoscaler");
  }

  /** Whether only its cluster may say it, to the operator or to Flink. */
  static boolean isSaidByCluster(String key) {
    return OPERATOR_OF_CLUSTER.contains(key) || isOfCluster(key);
  }

  static boolean isOfCluster(String key) {
    return !isOfOperator(key) && OF_CLUSTER.stream().anyMatch(key::startsWith);
  }
}
