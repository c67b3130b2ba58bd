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
import org.jspecify.annotations.Nullable;

/** Removes the annotations of a request once it was used. */
final class UsedAnnotation {

  private static final int TEST_FAILED = 422;

  private final KubernetesClient client;

  UsedAnnotation(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Removes those of one request that are there, all in one write: a part of them would be another
   * request. Not if one of them says something else by now. Blocks.
   */
  void removeAll(ResourceType type, ResourceRef ref, StoredResource read, List<String> names) {
    Map<String, String> there = new TreeMap<>();
    names.stream()
        .filter(name -> annotation(read, name) != null)
        .forEach(name -> there.put(name, annotation(read, name)));
    if (!there.isEmpty()) {
      remove(type, ref, there);
    }
  }

  /** Removes it if it still has that value: another one is another request. Blocks. */
  void remove(ResourceType type, ResourceRef ref, StoredResource read, String name, String value) {
    if (value.equals(annotation(read, name))) {
      remove(type, ref, Map.of(name, value));
    }
  }

  private static @Nullable String annotation(StoredResource read, String name) {
    Map<String, String> annotations = read.metadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  private void remove(ResourceType type, ResourceRef ref, Map<String, String> annotations) {
    KubernetesFailure.told(
        "remove annotations %s of %s".formatted(annotations.keySet(), ref.display()),
        () -> {
          try {
            client
                .genericKubernetesResources(type.definition())
                .inNamespace(ref.namespace())
                .withName(ref.name())
                .patch(PatchContext.of(PatchType.JSON), patch(ref, annotations));
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != TEST_FAILED) {
              throw failed;
            }
          }
        });
  }

  private static String patch(ResourceRef ref, Map<String, String> annotations) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "test").put("path", "/metadata/uid").put("value", ref.uid());
    annotations.forEach(
        (name, value) ->
            patch.addObject().put("op", "test").put("path", path(name)).put("value", value));
    annotations
        .keySet()
        .forEach(name -> patch.addObject().put("op", "remove").put("path", path(name)));
    return patch.toString();
  }

  private static String path(String annotation) {
    return "/metadata/annotations/" + annotation.replace("/", "~1");
  }
}
