package dev.sluice.activities.bluegreen;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.Annotations;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import org.jspecify.annotations.Nullable;

/**
 * Removes {@code sluice.dev/restore-from} once a transition was begun, or something has ended: what
 * was named for a state of long ago is not for a retry of another day.
 */
final class UsedRestoreFrom {

  private static final String PATH =
      "/metadata/annotations/" + Annotations.RESTORE_FROM.replace("/", "~1");
  private static final int TEST_FAILED = 422;

  private final KubernetesClient client;

  UsedRestoreFrom(KubernetesClient client) {
    this.client = client;
  }

  /** What the annotation says; null when there is none. */
  static @Nullable String of(FlinkBlueGreenDeployment parent) {
    return Annotations.of(parent, Annotations.RESTORE_FROM);
  }

  /** Removes it as it was read; another value is another request. */
  void remove(ResourceRef ref, FlinkBlueGreenDeployment read) {
    String value = of(read);
    if (value != null) {
      remove(ref, value);
    }
  }

  private void remove(ResourceRef ref, String value) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "test").put("path", "/metadata/uid").put("value", ref.uid());
    patch.addObject().put("op", "test").put("path", PATH).put("value", value);
    patch.addObject().put("op", "remove").put("path", PATH);
    KubernetesFailure.translate(
        "remove annotation %s of %s".formatted(Annotations.RESTORE_FROM, ref.display()),
        () -> {
          try {
            GenericKubernetesResource unused =
                client
                    .genericKubernetesResources(BlueGreenStore.TYPE.definition())
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
