package dev.sluice.activities.kubernetes;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/** Reads custom resources from the API server, and only the very instance that was asked for. */
public final class CustomResources {

  private static final int NOT_FOUND = 404;

  private final KubernetesClient client;

  public CustomResources(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The resource as it is now.
   *
   * @throws ApplicationFailure {@code ResourceGone}, or as {@link
   *     KubernetesFailure#translate(String, java.util.function.Supplier)}
   */
  public <T extends HasMetadata> T get(ResourceType type, ResourceRef ref, Class<T> as) {
    return find("read " + ref.display(), type, ref.namespace(), ref.name(), as)
        .filter(it -> ref.uid().equals(it.getMetadata().getUid()))
        .orElseThrow(() -> gone(ref));
  }

  /**
   * Checks that this instance still exists; whatever else is wrong with it does not matter.
   *
   * @throws ApplicationFailure as {@link #get}
   */
  public void require(ResourceType type, ResourceRef ref) {
    get(type, ref, GenericKubernetesResource.class);
  }

  /**
   * The instance that has that name now; empty when there is none.
   *
   * @throws ApplicationFailure as {@link #get}
   */
  public <T extends HasMetadata> Optional<T> find(
      ResourceType type, String namespace, String name, Class<T> as) {
    String what = "read %s %s/%s".formatted(type.kind(), namespace, name);
    return find(what, type, namespace, name, as);
  }

  private <T extends HasMetadata> Optional<T> find(
      String what, ResourceType type, String namespace, String name, Class<T> as) {
    return KubernetesFailure.translate(
        what,
        () -> {
          try {
            String json = client.raw(type.path(namespace, name), "GET", null);
            return Optional.of(client.getKubernetesSerialization().unmarshal(json, as));
          } catch (KubernetesClientException failed) {
            if (isNamed(failed, name)) {
              return Optional.empty();
            }
            throw failed;
          }
        });
  }

  /**
   * Only an answer about this very name says that the resource is gone: a CustomResourceDefinition
   * that is missing, or not served yet, is answered with 404 as well.
   */
  private static boolean isNamed(KubernetesClientException failed, String name) {
    Status status = failed.getStatus();
    return failed.getCode() == NOT_FOUND
        && status != null
        && status.getDetails() != null
        && name.equals(status.getDetails().getName());
  }

  public static ApplicationFailure gone(ResourceRef ref) {
    return ApplicationFailure.newNonRetryableFailure(
        "%s %s (uid %s) does not exist any more".formatted(ref.kind(), ref.display(), ref.uid()),
        FailureType.RESOURCE_GONE);
  }
}
