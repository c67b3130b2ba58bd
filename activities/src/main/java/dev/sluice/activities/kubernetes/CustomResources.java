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
   * @throws ApplicationFailure {@code ResourceGone}, or as {@link KubernetesFailure#told(String,
   *     java.util.function.Supplier)}
   */
  public <T extends HasMetadata> T get(ResourceType type, ResourceRef ref, Class<T> as) {
    return KubernetesFailure.told("read " + ref.display(), () -> read(type, ref, as));
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
    return KubernetesFailure.told(
        "read %s %s/%s".formatted(type.kind(), namespace, name),
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

  private <T extends HasMetadata> T read(ResourceType type, ResourceRef ref, Class<T> as) {
    String json;
    try {
      json = client.raw(type.path(ref.namespace(), ref.name()), "GET", null);
    } catch (KubernetesClientException failed) {
      throw isNamed(failed, ref.name()) ? gone(ref) : failed;
    }
    T found = client.getKubernetesSerialization().unmarshal(json, as);
    if (!ref.uid().equals(found.getMetadata().getUid())) {
      throw gone(ref);
    }
    return found;
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
