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

  private FlinkClientKeys() {}
}
