package dev.sluice.api.common;

import java.util.List;

/**
 * Keys that only Flink's command-line client reads, on its own machine: it leaves them out of the
 * configuration of a cluster, and so does Sluice.
 */
public final class FlinkClientKeys {

  public static final List<String> ALL =
      List.of(
          "kubernetes.config.file",
          "$internal.deployment.config-dir",
          "rest.bind-address",
          "jobmanager.bind-host",
          "taskmanager.bind-host",
          "taskmanager.host");

  /** Keys whose value Sluice sets, whatever the configuration says. */
  public static final List<String> OVERWRITTEN =
      List.of(
          "execution.target",
          "$internal.pipeline.job-id",
          "kubernetes.internal.jobmanager.entrypoint.class",
          "internal.cluster.execution-mode",
          "execution.shutdown-on-application-finish",
          "execution.submit-failed-job-on-application-error",
          "kubernetes.jobmanager.replicas",
          "kubernetes.service-account");

  /** Prefix of files with pod templates, which the client reads. */
  public static final String TEMPLATE_FILE = "kubernetes.pod-template-file";

  private FlinkClientKeys() {}

  /** Whether no value of that key reaches a cluster. */
  public static boolean isWithoutEffect(String key) {
    return ALL.contains(key)
        || OVERWRITTEN.contains(key)
        || RestoreKeys.ALL.contains(key)
        || key.startsWith(TEMPLATE_FILE);
  }
}
