package dev.sluice.controller.common;

import dev.sluice.activities.kubernetes.KubernetesIdentity;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.TaskQueues;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes cluster that this controller serves. Two clusters may share one Temporal
 * namespace; by the identity in each reference no worker takes the resources of another cluster for
 * its own.
 *
 * @param uid its identity: the uid of the namespace {@code kube-system}
 */
public record KubernetesCluster(String uid) {

  /**
   * Asks the API server who it is.
   *
   * @throws IllegalStateException with what is missing, when it does not report
   */
  public static KubernetesCluster of(KubernetesClient client) {
    try {
      return new KubernetesCluster(new KubernetesIdentity(client).read());
    } catch (KubernetesClientException failed) {
      throw new IllegalStateException(
          "Cannot read namespace kube-system at "
              + client.getMasterUrl()
              + ", whose uid identifies this Kubernetes cluster. The service account needs the"
              + " verb get on it. "
              + failed.getMessage(),
          failed);
    }
  }

  /**
   * The task queue that the workers of this cluster poll.
   *
   * @param configured its whole name; null for the default, which has the uid in it
   */
  public String taskQueue(@Nullable String configured) {
    return TaskQueues.of(uid, configured);
  }

  /** The resource as workflows know it. The one place where a reference is made. */
  public ResourceRef ref(HasMetadata resource) {
    ObjectMeta metadata = resource.getMetadata();
    return new ResourceRef(
        uid, resource.getKind(), metadata.getNamespace(), metadata.getName(), metadata.getUid());
  }
}
