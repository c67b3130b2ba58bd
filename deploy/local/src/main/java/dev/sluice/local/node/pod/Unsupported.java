package dev.sluice.local.node.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** What a pod may ask for that the local node does not have: better said than half done. */
final class Unsupported {
  private Unsupported() {}

  /** Why the pod cannot run here; empty when it can. */
  static Optional<String> reason(Pod pod) {
    List<Container> init = pod.getSpec().getInitContainers();
    for (Container container : init == null ? List.<Container>of() : init) {
      if (container.getRestartPolicy() != null) {
        return Optional.of(
            "The local node has no sidecar containers: init container "
                + container.getName()
                + " has a restartPolicy");
      }
    }
    for (Container container : pod.getSpec().getContainers()) {
      if (container.getLifecycle() != null) {
        return Optional.of(
            "The local node has no lifecycle hooks: container "
                + container.getName()
                + " has some");
      }
    }
    return Optional.empty();
  }
}
