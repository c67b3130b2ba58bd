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
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Map;

/** Removes the annotation of a request once it was used. */
final class UsedAnnotation {

  private static final int TEST_FAILED = 422;

  private final KubernetesClient client;

  UsedAnnotation(KubernetesClient client) {
    this.client = client;
  }

  /** Removes it, whatever it says. Blocks. */
  void remove(ResourceType type, ResourceRef ref, StoredResource read, String name) {
    Map<String, String> annotations = read.metadata().getAnnotations();
    String value = annotations == null ? null : annotations.get(name);
    if (value != null) {
      remove(type, ref, read, name, value);
    }
  }

  /** Removes it if it still has that value: another one is another request. Blocks. */
  void remove(ResourceType type, ResourceRef ref, StoredResource read, String name, String value) {
    Map<String, String> annotations = read.metadata().getAnnotations();
    if (annotations == null || !value.equals(annotations.get(name))) {
      return;
    }
    KubernetesFailure.told(
        "remove annotation %s of %s".formatted(name, ref.display()),
        () -> {
          try {
            client
                .genericKubernetesResources(context(type))
                .inNamespace(ref.namespace())
                .withName(ref.name())
                .patch(PatchContext.of(PatchType.JSON), patch(ref, name, value));
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != TEST_FAILED) {
              throw failed;
            }
          }
        });
  }

  private static String patch(ResourceRef ref, String name, String value) {
    String path = "/metadata/annotations/" + name.replace("/", "~1");
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "test").put("path", "/metadata/uid").put("value", ref.uid());
    patch.addObject().put("op", "test").put("path", path).put("value", value);
    patch.addObject().put("op", "remove").put("path", path);
    return patch.toString();
  }

  private static ResourceDefinitionContext context(ResourceType type) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(type.group())
        .withVersion(type.version())
        .withKind(type.kind())
        .withPlural(type.plural())
        .withNamespaced(true)
        .build();
  }
}
