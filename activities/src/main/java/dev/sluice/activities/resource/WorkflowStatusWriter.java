package dev.sluice.activities.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.Resources;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Writes the workflow's part of a status by server-side apply: once, or not at all when nothing
 * changes, and only onto the very version that was read. So it never writes into another instance
 * of the same name; a uid in the body would not do, because the API server ignores it on {@code
 * /status}.
 */
final class WorkflowStatusWriter {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REMOVE_PATH =
      "[{\"op\":\"remove\",\"path\":\"/status/jobStatus/upgradeSavepointPath\"}]";

  private final KubernetesClient client;

  WorkflowStatusWriter(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Applies the change to what was read.
   *
   * @return the workflow's part after it
   * @throws KubernetesClientException with code 409 when it is not the newest version any more
   */
  OwnedStatus write(ResourceRef ref, FlinkDeployment read, UnaryOperator<OwnedStatus> change) {
    OwnedStatus before = OwnedStatus.of(read.getStatus());
    OwnedStatus after = change.apply(before);
    if (!after.equals(before)) {
      apply(ref, read.getMetadata().getResourceVersion(), after);
    }
    return after;
  }

  private void apply(ResourceRef ref, String version, OwnedStatus status) {
    GenericKubernetesResource body = body(ref, version, status);
    GenericKubernetesResource written;
    try {
      written = client.resource(body).subresource("status").patch(Apply.context());
    } catch (KubernetesClientException refused) {
      throw refused.getCode() == 404 ? Resources.gone(ref) : refused;
    }
    // a path that another manager wrote (Apache's operator, before we took over) survives an apply
    // that leaves it out
    if (status.upgradeSavepointPath() == null && hasPath(written)) {
      client
          .resource(body)
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON), REMOVE_PATH);
    }
  }

  private static boolean hasPath(GenericKubernetesResource written) {
    JsonNode status = JSON.valueToTree(written.getAdditionalProperties()).path("status");
    return OwnedStatus.of(JSON.convertValue(status, FlinkDeploymentStatus.class))
            .upgradeSavepointPath()
        != null;
  }

  private static GenericKubernetesResource body(
      ResourceRef ref, String version, OwnedStatus status) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(FlinkDeployment.API_VERSION)
        .withKind(FlinkDeployment.KIND)
        .withNewMetadata()
        .withNamespace(ref.namespace())
        .withName(ref.name())
        .withResourceVersion(version)
        .endMetadata()
        .withAdditionalProperties(Map.of("status", JSON.valueToTree(status.alone())))
        .build();
  }
}
