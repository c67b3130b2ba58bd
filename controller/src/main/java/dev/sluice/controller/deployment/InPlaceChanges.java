package dev.sluice.controller.deployment;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.inplace.IngressManifest;
import dev.sluice.controller.inplace.IngressWriter;
import dev.sluice.controller.inplace.ServiceWriter;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Brings what needs no operation to Kubernetes while the job goes on. An invalid spec changes
 * nothing, as nowhere. What is suspended keeps its Ingress, as with Apache's operator.
 */
final class InPlaceChanges {

  private final IngressWriter ingresses;
  private final ServiceWriter services;

  InPlaceChanges(IngressWriter ingresses, ServiceWriter services) {
    this.ingresses = ingresses;
    this.services = services;
  }

  /** Watches the Ingresses that were made for FlinkDeployments. */
  static InformerEventSourceConfiguration<Ingress> informer() {
    return InformerEventSourceConfiguration.from(Ingress.class, FlinkDeployment.class)
        .withLabelSelector(Labels.RESOURCE_KIND + "=" + FlinkDeployment.KIND)
        .withSecondaryToPrimaryMapper(InPlaceChanges::resourceOf)
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

  /** Makes them what the newest spec says. */
  InPlaceOutcome carryOut(
      FlinkDeployment resource,
      ResourceRef ref,
      SpecCheck check,
      Context<FlinkDeployment> context) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    if (deleting || !check.isValid()) {
      return InPlaceOutcome.DONE; // Kubernetes collects it together with the resource
    }
    return ingress(resource, ref, check, context.getSecondaryResources(Ingress.class))
        .and(services(resource, ref, check, context.getSecondaryResources(Service.class)));
  }

  /** While an operation is at work they are the worker's alone. */
  private InPlaceOutcome services(
      FlinkDeployment resource, ResourceRef ref, SpecCheck check, Collection<Service> seen) {
    FrozenSpec frozen = check.frozen();
    if (frozen == null || DeploymentPhase.of(resource, check) != DeploymentPhase.SETTLED) {
      return InPlaceOutcome.DONE;
    }
    try {
      return services.bring(
          ref, frozen.effective().configuration(), newest(resource, frozen), seen);
    } catch (IllegalArgumentException unreadable) {
      return InPlaceOutcome.DONE; // frozen by an operator with other rules
    }
  }

  /** The newest spec over the defaults that it was deployed with: new ones come with an upgrade. */
  private static FlinkConfiguration newest(FlinkDeployment resource, FrozenSpec frozen) {
    FlinkConfiguration defaults = frozen.defaults();
    return defaults == null
        ? resource.getSpec().configuration()
        : resource.getSpec().over(defaults).configuration();
  }

  private InPlaceOutcome ingress(
      FlinkDeployment resource, ResourceRef ref, SpecCheck check, Collection<Ingress> seen) {
    IngressSpec spec = resource.getSpec().ingress();
    FrozenSpec frozen = check.frozen();
    FlinkDeploymentSpec deployed = frozen == null ? resource.getSpec() : frozen.effective();
    return ingresses.bring(
        ref,
        spec == null
            ? null
            : IngressManifest.of(ref, spec, FlinkPorts.rest(deployed.configuration())),
        seen);
  }

  void forget(ResourceRef ref, Collection<Service> seen) {
    ingresses.forget(ref);
    services.forget(seen);
  }
}
