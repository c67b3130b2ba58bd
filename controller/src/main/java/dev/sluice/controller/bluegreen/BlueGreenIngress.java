package dev.sluice.controller.bluegreen;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.inplace.IngressManifest;
import dev.sluice.controller.inplace.IngressManifest.Backend;
import dev.sluice.controller.inplace.IngressWriter;
import dev.sluice.controller.operation.ResourcePhase;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;

/**
 * The Ingress of a FlinkBlueGreenDeployment leads to the child that is live by the status, and
 * moves in one write when that says another one. An invalid spec changes nothing, but the Ingress
 * follows the live child all the same: the way back of a transition must not wait for the spec.
 */
final class BlueGreenIngress {

  private final IngressWriter ingresses;

  /**
   * @param client stays the caller's to close
   */
  BlueGreenIngress(KubernetesClient client) {
    this.ingresses = new IngressWriter(client);
  }

  /** Makes it what the newest spec says, for the child that is live. */
  InPlaceOutcome bring(SeenBlueGreen seen, Collection<Ingress> there) {
    if (seen.phase() == ResourcePhase.DELETING || !isReadable(seen)) {
      return InPlaceOutcome.DONE; // Kubernetes collects it together with the resource
    }
    IngressSpec spec = seen.resource().getSpec().ingress();
    if (spec == null) {
      return ingresses.bring(seen.ref(), null, there);
    }
    FlinkDeployment live = seen.liveChild().orElse(null);
    if (live == null) {
      return InPlaceOutcome.DONE; // there is nothing to lead to
    }
    Backend backend = Backend.rest(live.getMetadata().getName(), restPort(live));
    return ingresses.bring(seen.ref(), IngressManifest.of(seen.ref(), spec, backend), there);
  }

  private static boolean isReadable(SeenBlueGreen seen) {
    return seen.violations().stream().noneMatch(it -> it.path().startsWith("spec.ingress"));
  }

  /** Of what is deployed; of what is wanted as long as nothing is. */
  private static int restPort(FlinkDeployment child) {
    FlinkDeploymentSpec spec = child.getSpec();
    try {
      FrozenSpec frozen = child.getStatus().lastReconciled();
      return FlinkPorts.rest((frozen == null ? spec : frozen.effective()).configuration());
    } catch (IllegalArgumentException unreadable) {
      return FlinkPorts.rest(spec.configuration());
    }
  }
}
