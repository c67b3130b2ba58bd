package dev.sluice.activities.support;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** A quota named {@code none}. */
public final class Quotas {

  private Quotas() {}

  /** Nothing is left of that in the namespace. */
  public static void usedUp(KubernetesClient client, String namespace, String of) {
    Map<String, Quantity> none = Map.of(of, new Quantity("0"));
    client
        .resource(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("none")
                .endMetadata()
                .withNewSpec()
                .withHard(none)
                .endSpec()
                .build())
        .create();
    // without a controller-manager nobody computes it
    client
        .resourceQuotas()
        .inNamespace(namespace)
        .withName("none")
        .editStatus(
            quota ->
                new ResourceQuotaBuilder(quota)
                    .withNewStatus()
                    .withHard(none)
                    .withUsed(none)
                    .endStatus()
                    .build());
  }
}
