package dev.sluice.local.cluster;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The API server's record of who asked for what: the calls of controller and worker only, without
 * their content. It tells how much Sluice costs an API server.
 */
public final class Audit {

  /** Names of the users whose calls are recorded begin so. */
  public static final String USERS = "system:serviceaccount:" + Operator.NAMESPACE + ":";

  private Audit() {}

  /** The record: one JSON document of {@code audit.k8s.io/v1} in each line. */
  public static Path log(ClusterConfig config) {
    return config.logs().resolve("kube-apiserver-audit.log");
  }

  static Path policy(ClusterConfig config) {
    return config.home().resolve("audit-policy.yaml");
  }

  static void lay(ClusterConfig config) throws IOException {
    PrivateFiles.write(
        policy(config),
        """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived, ResponseStarted]
        rules:
        - level: Metadata
          users: ["%1$ssluice-controller", "%1$ssluice-worker"]
        - level: None
        """
            .formatted(USERS));
  }
}
