package dev.sluice.controller.reconcile;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.status.StatusProjection;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Applies the controller's part of a status server-side, and nothing else: the body holds no spec,
 * so that no default of ours can ever become a user's value.
 */
final class ControllerStatusWriter {

  /** Field manager; the workflow's is another one. */
  static final String FIELD_MANAGER = "sluice-controller";

  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager(FIELD_MANAGER)
          .withForce(true)
          .build();

  private final KubernetesClient client;
  private final ConcurrentMap<String, Applied> applied = new ConcurrentHashMap<>();

  ControllerStatusWriter(KubernetesClient client) {
    this.client = client;
  }

  /** Whether the resource's status has to be written to say this. */
  boolean differs(FlinkDeployment resource, FlinkDeploymentStatus wanted) {
    FlinkDeploymentStatus there = StatusProjection.owned(resource.getStatus());
    if (there.equals(wanted)) {
      return false;
    }
    // another manager may own what we leave out, so that applying again would change nothing
    Applied last = applied.get(resource.getMetadata().getUid());
    return last == null || !last.wanted.equals(wanted) || !last.result.equals(there);
  }

  /**
   * Applies it.
   *
   * @return the resource as it is now; empty when this instance of it is gone
   */
  Optional<FlinkDeployment> apply(FlinkDeployment resource, FlinkDeploymentStatus wanted) {
    var serialization = client.getKubernetesSerialization();
    GenericKubernetesResource body = new GenericKubernetesResource();
    body.setApiVersion(FlinkDeployment.API_VERSION);
    body.setKind(FlinkDeployment.KIND);
    body.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(resource.getMetadata().getNamespace())
            .withName(resource.getMetadata().getName())
            .withUid(resource.getMetadata().getUid())
            .build());
    body.setAdditionalProperties(Map.of("status", serialization.convertValue(wanted, Map.class)));
    GenericKubernetesResource result;
    try {
      result = client.resource(body).subresource("status").patch(APPLY);
    } catch (KubernetesClientException refused) {
      if (isGone(refused)) {
        return Optional.empty();
      }
      throw refused;
    }
    FlinkDeployment written =
        serialization.unmarshal(serialization.asJson(result), FlinkDeployment.class);
    applied.put(
        resource.getMetadata().getUid(),
        new Applied(wanted, StatusProjection.owned(written.getStatus())));
    return Optional.of(written);
  }

  /** Not there, or another instance of that name: the uid in the body does not fit. */
  private static boolean isGone(KubernetesClientException refused) {
    return refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND
        || (refused.getCode() == HttpURLConnection.HTTP_CONFLICT
            && String.valueOf(refused.getMessage()).contains("uid"));
  }

  void forget(FlinkDeployment resource) {
    applied.remove(resource.getMetadata().getUid());
  }

  private record Applied(FlinkDeploymentStatus wanted, FlinkDeploymentStatus result) {}
}
