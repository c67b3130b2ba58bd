package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Collection;

/** Whether the API server knows a kind. */
public final class ServedDefinition {

  private ServedDefinition() {}

  /**
   * Asks it once.
   *
   * @param namespaces that are watched; empty for all
   * @throws KubernetesClientException when it does not answer, or they may not be listed
   */
  public static boolean isServed(
      KubernetesClient client, Class<? extends HasMetadata> type, Collection<String> namespaces) {
    var all = client.resources(type);
    var options = new ListOptionsBuilder().withLimit(1L).build();
    try {
      var unused =
          namespaces.isEmpty()
              ? all.inAnyNamespace().list(options)
              : all.inNamespace(namespaces.iterator().next()).list(options);
      return true;
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      throw failed;
    }
  }
}
