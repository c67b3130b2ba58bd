package dev.sluice.activities.kubernetes;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/**
 * Which Kubernetes cluster this is: the uid of its namespace {@code kube-system}, which every
 * cluster has and none shares. Read once; thread-safe.
 */
public final class KubernetesIdentity {

  private static final String NAMESPACE = "kube-system";

  private final KubernetesClient client;
  private volatile @Nullable String uid;

  public KubernetesIdentity(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Asks the API server unless it has answered before.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it does not answer, or this
   *     process may not {@code get} that namespace; try again later
   */
  public String read() {
    String known = uid;
    if (known != null) {
      return known;
    }
    // unlike a typed read, a raw one does not turn every failure into "not found"
    String json = client.raw("/api/v1/namespaces/" + NAMESPACE, "GET", null);
    Namespace namespace = client.getKubernetesSerialization().unmarshal(json, Namespace.class);
    String found = namespace.getMetadata().getUid();
    uid = found;
    return found;
  }
}
