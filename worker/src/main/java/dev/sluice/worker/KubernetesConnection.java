package dev.sluice.worker;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/**
 * The connection to Kubernetes, found as all of fabric8's clients find it: kubeconfig, or the
 * service account of the pod. Making it needs no API server.
 */
final class KubernetesConnection {

  // every call ends before the engine gives up on a short activity (10 s)
  private static final int REQUEST_MS = 8_000;
  private static final int CONNECT_MS = 3_000;

  private KubernetesConnection() {}

  static KubernetesClient open() {
    Config config =
        new ConfigBuilder(Config.autoConfigure(null))
            .withRequestTimeout(REQUEST_MS)
            .withConnectionTimeout(CONNECT_MS)
            // the engine tries again, and shows that it does
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }
}
