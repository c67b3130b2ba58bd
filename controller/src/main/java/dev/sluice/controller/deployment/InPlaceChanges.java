package dev.sluice.controller.deployment;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.deployment.TaskManagerScaling;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.inplace.IngressManifest;
import dev.sluice.controller.inplace.IngressManifest.Backend;
import dev.sluice.controller.inplace.IngressWriter;
import dev.sluice.controller.inplace.ServiceWriter;
import dev.sluice.controller.inplace.TaskManagerScale;
import dev.sluice.controller.observation.ClusterObserver;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings what needs no operation to Kubernetes while the job goes on. An invalid spec changes
 * nothing, as nowhere. What is suspended keeps its Ingress, as with Apache's operator.
 */
final class InPlaceChanges {

  private final IngressWriter ingresses;
  private final ServiceWriter services;
  private final TaskManagerScale taskManagers;

  /**
   * @param client stays the caller's to close
   */
  InPlaceChanges(KubernetesClient client) {
    this.ingresses = new IngressWriter(client);
    this.services = new ServiceWriter(client);
    this.taskManagers = new TaskManagerScale(client);
  }

  /** Makes them what the newest spec says. */
  InPlaceOutcome carryOut(SeenDeployment seen, Context<FlinkDeployment> context) {
    boolean deleting = seen.resource().getMetadata().getDeletionTimestamp() != null;
    return deleting || !seen.check().isValid()
        ? InPlaceOutcome.DONE // Kubernetes collects them together with the resource
        : ingresses
            .bring(seen.ref(), ingress(seen), context.getSecondaryResources(Ingress.class))
            .and(services(seen, context.getSecondaryResources(Service.class)))
            .and(taskManagers(seen, context.getSecondaryResources(Deployment.class)));
  }

  private static @Nullable Ingress ingress(SeenDeployment seen) {
    IngressSpec spec = seen.resource().getSpec().ingress();
    ResourceRef ref = seen.ref();
    return spec == null
        ? null
        : IngressManifest.of(
            ref,
            spec,
            Backend.rest(ref.name(), FlinkPorts.rest(seen.deployedSpec().configuration())));
  }

  /**
   * While an operation is at work they are the worker's alone. The newest spec counts over the
   * defaults that it was deployed with: new ones come with an upgrade.
   */
  private InPlaceOutcome services(SeenDeployment seen, Collection<Service> there) {
    FrozenSpec frozen = seen.check().frozen();
    if (frozen == null || seen.phase() != ResourcePhase.SETTLED) {
      return InPlaceOutcome.DONE;
    }
    FlinkDeploymentSpec newest = seen.resource().getSpec();
    FlinkConfiguration defaults = frozen.defaults();
    try {
      return services.bring(
          seen.ref(),
          frozen.effective().configuration(),
          (defaults == null ? newest : newest.over(defaults)).configuration(),
          there);
    } catch (IllegalArgumentException unreadable) {
      return InPlaceOutcome.DONE; // frozen by an operator with other rules
    }
  }

  private InPlaceOutcome taskManagers(SeenDeployment seen, Collection<Deployment> there) {
    return ClusterObserver.taskManagers(seen.ref().uid(), there)
        .flatMap(
            it ->
                wantedTaskManagers(seen).map(wanted -> taskManagers.bring(seen.ref(), it, wanted)))
        .orElse(InPlaceOutcome.DONE);
  }

  /**
   * As many as the newest spec asks for, also where the rest of it was given up; empty where their
   * number is not to be changed. While an operation is at work it stays: a savepoint would fail
   * when TaskManagers go. That of a job which has ended stays, too: it uses none.
   */
  static Optional<Integer> wantedTaskManagers(SeenDeployment seen) {
    FrozenSpec frozen = seen.check().frozen();
    ResourcePhase phase = seen.phase();
    boolean idle = phase == ResourcePhase.SETTLED || phase == ResourcePhase.GIVEN_UP;
    FlinkDeploymentSpec newest = seen.resource().getSpec();
    boolean ended =
        seen.job()
            .map(job -> job.state().isGloballyTerminal())
            .orElseGet(() -> seen.end().isPresent());
    return frozen != null
            && idle
            && !ended
            && TaskManagerScaling.scales(frozen.spec())
            && TaskManagerScaling.scales(newest)
        ? Optional.of(TaskManagerScaling.taskManagers(frozen, newest))
        : Optional.empty();
  }

  void forget(ResourceRef ref) {
    taskManagers.forget(ref);
  }
}
