package dev.sluice.activities.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Map;

/** Takes the annotation {@code sluice.dev/restore-from} away once it was used. */
final class RestoreFromAnnotation {

  private static final int TEST_FAILED = 422;
  private static final String PATH =
      "/metadata/annotations/" + Annotations.RESTORE_FROM.replace("/", "~1");

  private final KubernetesClient client;

  RestoreFromAnnotation(KubernetesClient client) {
    this.client = client;
  }

  /** Removes it if it still has that value: another one is another request. Blocks. */
  void remove(ResourceType type, ResourceRef ref, StoredResource read, String value) {
    Map<String, String> annotations = read.metadata().getAnnotations();
    if (annotations == null || !value.equals(annotations.get(Annotations.RESTORE_FROM))) {
      return;
    }
    KubernetesFailure.told(
        "remove annotation %s of %s".formatted(Annotations.RESTORE_FROM, ref.display()),
        () -> {
          try {
            client
                .genericKubernetesResources(context(type))
                .inNamespace(ref.namespace())
                .withName(ref.name())
                .patch(PatchContext.of(PatchType.JSON), patch(ref, value));
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != TEST_FAILED) {
              throw failed;
            }
          }
        });
  }

  private static String patch(ResourceRef ref, String value) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "test").put("path", "/metadata/uid").put("value", ref.uid());
    patch.addObject().put("op", "test").put("path", PATH).put("value", value);
    patch.addObject().put("op", "remove").put("path", PATH);
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
