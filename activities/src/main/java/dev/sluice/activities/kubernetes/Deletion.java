package dev.sluice.activities.kubernetes;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Deletes the very object that was looked at, and not one that took its name since. */
public final class Deletion {

  private final KubernetesClient client;

  public Deletion(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Deletes it now, and what it owns some time later; nothing happens when it is gone already.
   *
   * @throws io.temporal.failure.ApplicationFailure as {@link KubernetesFailure#translate(String,
   *     java.util.function.Supplier)}
   */
  public void delete(HasMetadata seen) {
    delete(seen, DeletionPropagation.BACKGROUND);
  }

  /**
   * Deletes what it owns first: it is gone when nothing is left that could make another pod in its
   * name. A ReplicaSet that outlives its Deployment may replace a pod that ends.
   *
   * @throws io.temporal.failure.ApplicationFailure as {@link #delete(HasMetadata)}
   */
  public void deleteAfterItsOwn(HasMetadata seen) {
    delete(seen, DeletionPropagation.FOREGROUND);
  }

  /**
   * Deletes only the very version that was looked at.
   *
   * @throws KubernetesClientException 409 when it was changed or replaced since: look again
   */
  public void deleteUnchanged(HasMetadata seen) {
    send(
        seen, DeletionPropagation.BACKGROUND, seen.getMetadata().getResourceVersion(), Set.of(404));
  }

  private void delete(HasMetadata seen, DeletionPropagation propagation) {
    KubernetesFailure.translate(
        "delete " + seen.getKind() + " " + seen.getMetadata().getName(),
        // 409: another object has the name by now, so this one is gone
        () -> send(seen, propagation, null, Set.of(404, 409)));
  }

  /**
   * @param version that must still be there; null for any
   * @param gone codes of answers that say that there is nothing to delete
   */
  private void send(
      HasMetadata seen,
      DeletionPropagation propagation,
      @Nullable String version,
      Set<Integer> gone) {
    DeleteOptions options =
        new DeleteOptionsBuilder()
            .withPropagationPolicy(propagation.toString())
            .withNewPreconditions()
            .withUid(seen.getMetadata().getUid())
            .withResourceVersion(version)
            .endPreconditions()
            .build();
    try {
      client.raw(path(seen), "DELETE", options);
    } catch (KubernetesClientException failed) {
      if (!gone.contains(failed.getCode())) {
        throw failed;
      }
    }
  }

  private static String path(HasMetadata object) {
    String version = object.getApiVersion();
    return "/%s/%s/namespaces/%s/%s/%s"
        .formatted(
            version.contains("/") ? "apis" : "api",
            version,
            object.getMetadata().getNamespace(),
            object.getPlural(),
            object.getMetadata().getName());
  }
}
