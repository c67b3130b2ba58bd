package dev.sluice.local.node.pod;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * What the node remembers of a pod it has taken.
 *
 * @param pod the pod as it was then: enough to end what still runs of it when the API server has it
 *     no more
 * @param ip the pod's address
 * @param admittedMillis when it was taken, in milliseconds since 1970
 */
public record PodRecord(Pod pod, String ip, long admittedMillis) {

  /** The pod's uid: a pod of the same name later is another one. */
  public String uid() {
    return pod.getMetadata().getUid();
  }

  /** The pod's namespace and name, as {@code NAMESPACE/NAME}. */
  public String name() {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }
}
