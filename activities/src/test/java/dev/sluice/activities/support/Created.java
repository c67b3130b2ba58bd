package dev.sluice.activities.support;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Resources that are created in the namespace of a test. */
public final class Created {

  private Created() {}

  /** With the status that it has. */
  public static <S, R extends CustomResource<?, S>> R in(
      KubernetesClient client, String namespace, R resource) {
    S status = resource.getStatus();
    resource.getMetadata().setNamespace(namespace);
    resource.getMetadata().setUid(null);
    R created = client.resource(resource).create();
    created.setStatus(status);
    return client.resource(created).updateStatus();
  }
}
