package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which keys of the Flink configuration are those of a session cluster, not of its jobs. */
public final class SessionJobKeys {

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

  private SessionJobKeys() {}

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

  static boolean isOfCluster(String key) {
    return !KeyTable.isForOperator(key) && OF_CLUSTER.stream().anyMatch(key::startsWith);
  }
}
