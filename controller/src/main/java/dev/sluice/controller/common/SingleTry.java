package dev.sluice.controller.common;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import java.net.HttpURLConnection;

/**
 * Calls to Kubernetes on the threads that reconcile: each is short and tried once, as a webhook
 * that does not work would keep the thread from all other resources.
 */
public final class SingleTry {

  private static final int REQUEST_MS = 5_000;
  private static final int TOO_MANY_REQUESTS = 429;

  private SingleTry() {}

  /** The same client, which stays the caller's to close, for such calls. */
  public static KubernetesClient of(KubernetesClient client) {
    return withRetries(client, 0);
  }

  /**
   * The same for calls on a thread of their own.
   *
   * @param most how often a call is tried again, after pauses that double from 100 ms
   */
  static KubernetesClient withRetries(KubernetesClient client, int most) {
    RequestConfig few =
        new ConfigBuilder(client.getConfiguration())
            .withRequestTimeout(REQUEST_MS)
            .withRequestRetryBackoffLimit(most)
            .build()
            .getRequestConfig();
    return client
        .adapt(NamespacedKubernetesClient.class)
        .withRequestConfig(few)
        .<KubernetesClient>call(it -> it);
  }

  /** Whether Kubernetes was only not available: a later try may succeed. */
  public static boolean isUnavailable(KubernetesClientException lost) {
    int code = lost.getCode(); // none when there was no answer
    return code <= 0 || code == TOO_MANY_REQUESTS || code >= HttpURLConnection.HTTP_INTERNAL_ERROR;
  }
}
