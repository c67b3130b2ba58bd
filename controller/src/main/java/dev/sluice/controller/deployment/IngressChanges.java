package dev.sluice.controller.deployment;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.Labels;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.controller.ingress.IngressManifest;
import dev.sluice.controller.ingress.IngressOutcome;
import dev.sluice.controller.ingress.IngressWriter;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Brings {@code spec.ingress} of the newest spec to its Ingress while the job goes on. An invalid
 * spec changes nothing, as nowhere; what is suspended keeps its Ingress, as with Apache's operator.
 */
final class IngressChanges {

  private static final int USUAL_PORT = 8081;

  private final IngressWriter writer;

  IngressChanges(IngressWriter writer) {
    this.writer = writer;
  }

  /** Watches the Ingresses that were made for FlinkDeployments. */
  static InformerEventSourceConfiguration<Ingress> informer() {
    return InformerEventSourceConfiguration.from(Ingress.class, FlinkDeployment.class)
        .withLabelSelector(Labels.RESOURCE_KIND + "=" + FlinkDeployment.KIND)
        .withSecondaryToPrimaryMapper(IngressChanges::resourceOf)
        .withNamespacesInheritedFromController()
        .build();
  }

  private static Set<ResourceID> resourceOf(Ingress ingress) {
    Map<String, String> labels = ingress.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Labels.RESOURCE_NAME);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, ingress.getMetadata().getNamespace()));
  }

  /**
   * Makes the Ingress what the newest spec says.
   *
   * @param seen the informer's Ingresses of this resource
   */
  IngressOutcome carryOut(
      FlinkDeployment resource, ResourceRef ref, SpecCheck check, Collection<Ingress> seen) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    if (deleting || !check.isValid()) {
      return IngressOutcome.DONE; // Kubernetes collects it together with the resource
    }
    IngressSpec spec = resource.getSpec().ingress();
    FrozenSpec frozen = check.frozen();
    FlinkDeploymentSpec deployed = frozen == null ? resource.getSpec() : frozen.effective();
    return writer.bring(
        ref, spec == null ? null : IngressManifest.of(ref, spec, restPort(deployed)), seen);
  }

  void forget(ResourceRef ref) {
    writer.forget(ref);
  }

  /** Of the Service that is there: one that was frozen may not be valid by the rules of today. */
  private static int restPort(FlinkDeploymentSpec deployed) {
    try {
      return FlinkPorts.of(deployed.configuration()).rest();
    } catch (IllegalArgumentException notOnePort) {
      return USUAL_PORT;
    }
  }
}
