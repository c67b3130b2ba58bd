package dev.sluice.controller.common;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;

/**
 * Which Kubernetes cluster this is. Two clusters may share one Temporal namespace; by its identity
 * no worker takes the resources of another cluster for its own.
 *
 * @param uid uid of the namespace {@code kube-system}, which lives as long as its cluster
 */
public record KubernetesIdentity(String uid) {

  private static final String NAMESPACE = "kube-system";

  /**
   * Asks the API server.
   *
   * @throws IllegalStateException with what is missing, when it cannot be read
   */
  public static KubernetesIdentity read(KubernetesClient client) {
    Namespace namespace;
    try {
      namespace = client.namespaces().withName(NAMESPACE).get();
    } catch (KubernetesClientException failed) {
      throw new IllegalStateException(
          unreadable(client, String.valueOf(failed.getMessage())), failed);
    }
    if (namespace == null) {
      throw new IllegalStateException(unreadable(client, "there is no such namespace"));
    }
    return new KubernetesIdentity(namespace.getMetadata().getUid());
  }

  private static String unreadable(KubernetesClient client, String why) {
    return ("Cannot read namespace %s at %s, whose uid identifies this Kubernetes cluster (%s)."
            + " The service account needs the verb get on it.")
        .formatted(NAMESPACE, client.getMasterUrl(), why);
  }

  /**
   * The task queue that the workers of this cluster poll.
   *
   * @param configured its whole name; null for {@code sluice-<uid>}
   */
  public String taskQueue(@Nullable String configured) {
    return configured == null ? LaneSignals.TASK_QUEUE + "-" + uid : configured;
  }

  /** The resource as workflows know it. The one place where a reference is made. */
  public ResourceRef ref(HasMetadata resource) {
    ObjectMeta metadata = resource.getMetadata();
    return new ResourceRef(
        resource.getKind(), metadata.getNamespace(), metadata.getName(), metadata.getUid());
  }
}
