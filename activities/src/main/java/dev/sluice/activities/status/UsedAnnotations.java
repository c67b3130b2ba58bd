package dev.sluice.activities.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Annotations that request something, and go once the request was used. */
final class UsedAnnotations {

  private static final int TEST_FAILED = 422;

  private final KubernetesClient client;

  UsedAnnotations(KubernetesClient client) {
    this.client = client;
  }

  static Map<String, String> of(StoredResource resource) {
    Map<String, String> all = resource.metadata().getAnnotations();
    return all == null ? new TreeMap<>() : new TreeMap<>(all);
  }

  /**
   * Removes those of one request, all in one write: a part of them would be another request. Not if
   * one of them says something else by now. Blocks.
   */
  void remove(ResourceType type, ResourceRef ref, Map<String, String> used) {
    if (used.isEmpty()) {
      return;
    }
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "test").put("path", "/metadata/uid").put("value", ref.uid());
    for (String op : List.of("test", "remove")) {
      used.forEach(
          (name, value) ->
              patch
                  .addObject()
                  .put("op", op)
                  .put("path", "/metadata/annotations/" + name.replace("/", "~1"))
                  .put("value", value));
    }
    KubernetesFailure.translate(
        "remove annotations %s of %s".formatted(used.keySet(), ref.display()),
        () -> {
          try {
            client
                .genericKubernetesResources(type.definition())
                .inNamespace(ref.namespace())
                .withName(ref.name())
                .patch(PatchContext.of(PatchType.JSON), patch.toString());
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != TEST_FAILED) {
              throw failed;
            }
          }
        });
  }
}
