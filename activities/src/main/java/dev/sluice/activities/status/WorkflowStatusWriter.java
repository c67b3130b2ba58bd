package dev.sluice.activities.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the workflow's part of a status by server-side apply: once, or not at all when nothing
 * changes, and only onto the very version that was read. So it never writes into another instance
 * of the same name; a uid in the body would not do, because the API server ignores it on {@code
 * /status}.
 */
final class WorkflowStatusWriter {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int NOT_FOUND = 404;
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
  OwnedStatus write(
      ResourceType type, ResourceRef ref, StoredResource read, UnaryOperator<OwnedStatus> change) {
    OwnedStatus before = read.status();
    OwnedStatus after = change.apply(before);
    if (after.equals(before)) {
      return after;
    }
    try {
      apply(type, read.metadata(), after);
    } catch (KubernetesClientException failed) {
      throw failed.getCode() == NOT_FOUND ? CustomResources.gone(ref) : failed;
    }
    return after;
  }

  private void apply(ResourceType type, ObjectMeta read, OwnedStatus status) {
    GenericKubernetesResource body = Apply.status(type, read, json(status));
    GenericKubernetesResource written =
        client.resource(body).subresource("status").patch(Apply.context());
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
    return JSON.valueToTree(written.getAdditionalProperties())
        .at("/status/jobStatus/upgradeSavepointPath")
        .isTextual();
  }

  private static JsonNode json(OwnedStatus status) {
    String path = status.upgradeSavepointPath();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("reconciliationStatus", status.reconciliation());
    fields.put("operation", status.operation());
    fields.put("recordedState", status.recorded());
    fields.put("endedJob", status.ended());
    fields.put("pendingStop", status.pendingStop());
    fields.put("recovery", status.recovery());
    fields.put("jobStatus", path == null ? null : Map.of("upgradeSavepointPath", path));
    fields.values().removeIf(Objects::isNull);
    return JSON.valueToTree(fields);
  }
}
