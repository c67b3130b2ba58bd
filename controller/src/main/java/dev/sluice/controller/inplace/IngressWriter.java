package dev.sluice.controller.inplace;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.api.Labels;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPath;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes, changes and removes Ingresses, and puts right what somebody else changed of them. Nothing
 * is written while there is nothing to change.
 */
public final class IngressWriter {

  private final KubernetesClient client;
  private final Deletion deletion;

  /**
   * @param client stays the caller's to close
   */
  public IngressWriter(KubernetesClient client) {
    this.client = SingleTry.of(client);
    this.deletion = new Deletion(this.client);
  }

  /** Watches the Ingresses that were made for resources of that kind. */
  public static <P extends HasMetadata> InformerEventSourceConfiguration<Ingress> informer(
      Class<P> resources) {
    return InformerEventSourceConfiguration.from(Ingress.class, resources)
        .withLabelSelector(Labels.RESOURCE_KIND + "=" + HasMetadata.getKind(resources))
        .withSecondaryToPrimaryMapper(IngressWriter::resourceOf)
        .withNamespacesInheritedFromController()
        .build();
  }

  private static Set<ResourceID> resourceOf(Ingress ingress) {
    String name = Labels.of(ingress, Labels.RESOURCE_NAME);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, ingress.getMetadata().getNamespace()));
  }

  /**
   * Makes the Ingress of a resource what it should be.
   *
   * @param wanted null for none
   * @param seen the informer's Ingresses of this resource
   */
  public InPlaceOutcome bring(ResourceRef ref, @Nullable Ingress wanted, Collection<Ingress> seen) {
    Optional<Ingress> there = seen.stream().filter(it -> isOurs(it, ref)).findFirst();
    if (wanted == null ? there.isEmpty() : there.filter(it -> isAsWanted(it, wanted)).isPresent()) {
      return InPlaceOutcome.DONE;
    }
    return InPlaceOutcome.of(
        (wanted == null ? "remove Ingress " : "apply Ingress ") + ref.display(),
        "Kubernetes refuses the Ingress: %s. Correct spec.ingress, or remove what refuses it.",
        () -> wanted == null ? remove(ref, there.orElseThrow()) : apply(ref, wanted));
  }

  private static boolean isOurs(Ingress there, ResourceRef ref) {
    return Ownership.of(there, ref) == Ownership.OURS
        && there.getMetadata().getDeletionTimestamp() == null;
  }

  private InPlaceOutcome remove(ResourceRef ref, Ingress seen) {
    Ingress live = client.resource(seen).get();
    if (live == null || !isOurs(live, ref)) {
      return InPlaceOutcome.DONE; // the informer has not seen it yet
    }
    deletion.delete(live);
    return InPlaceOutcome.changed(event("Ingress %s was removed.".formatted(ref.name())));
  }

  private InPlaceOutcome apply(ResourceRef ref, Ingress wanted) {
    Ingress live = client.resource(wanted).get();
    if (live == null) {
      return write(ref, wanted, null);
    }
    Ownership whose = Ownership.of(live, ref);
    if (whose == Ownership.SOMEBODY_ELSE && !isLeftByApache(live, ref)) {
      String message =
          "%s; its name is needed for the Ingress of %s %s. Rename one of them, or remove spec.ingress."
              .formatted(Ownership.owners(live), ref.kind(), ref.display());
      return InPlaceOutcome.held(Reasons.NAME_TAKEN, message);
    }
    if (whose == Ownership.EARLIER_INSTANCE || live.getMetadata().getDeletionTimestamp() != null) {
      return InPlaceOutcome.later();
    }
    if (isAsWanted(live, wanted)) {
      return InPlaceOutcome.DONE; // the informer has not seen it yet
    }
    Ingress same =
        new IngressBuilder(wanted)
            .editMetadata()
            .withUid(live.getMetadata().getUid())
            .endMetadata()
            .build();
    return write(ref, same, live.getMetadata().getResourceVersion());
  }

  /** One that older releases made belongs to the JobManager Deployment. */
  private static boolean isLeftByApache(Ingress there, ResourceRef ref) {
    return there.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            owner -> "Deployment".equals(owner.getKind()) && ref.name().equals(owner.getName()));
  }

  /**
   * @param version of the Ingress there, of which fields of another manager are taken over; null
   *     for none: one that is there by now has to be looked at first
   */
  private InPlaceOutcome write(ResourceRef ref, Ingress wanted, @Nullable String version) {
    PatchContext apply =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(StatusWriter.FIELD_MANAGER)
            .withForce(version != null)
            .build();
    Ingress now = client.resource(wanted).patch(apply);
    return version != null && version.equals(now.getMetadata().getResourceVersion())
        ? InPlaceOutcome.DONE // an admission webhook has taken the change back
        : InPlaceOutcome.changed(
            event(
                "Ingress %s leads %s to Service %s."
                    .formatted(ref.name(), address(wanted), service(wanted))));
  }

  private static StatusEvent event(String message) {
    return StatusEvent.normal(EventReasons.INGRESS_CHANGED, message);
  }

  private static String service(Ingress ingress) {
    HTTPIngressPath path = ingress.getSpec().getRules().get(0).getHttp().getPaths().get(0);
    return path.getBackend().getService().getName();
  }

  private static String address(Ingress ingress) {
    IngressRule rule = ingress.getSpec().getRules().get(0);
    String path = rule.getHttp().getPaths().get(0).getPath();
    return (rule.getHost() == null ? "" : rule.getHost()) + (path == null ? "" : path);
  }

  /**
   * Whether an Ingress says what it should; the hash of its spec is among its annotations. What
   * others add to it is theirs: annotations and labels of Ingress controllers, the default class.
   */
  private static boolean isAsWanted(Ingress there, Ingress wanted) {
    return contains(there.getMetadata().getLabels(), wanted.getMetadata().getLabels())
        && contains(there.getMetadata().getAnnotations(), wanted.getMetadata().getAnnotations())
        && there.getMetadata().getOwnerReferences().stream()
            .map(OwnerReference::getUid)
            .anyMatch(wanted.getMetadata().getOwnerReferences().get(0).getUid()::equals)
        && there.getSpec() != null
        && there.getSpec().getRules().equals(wanted.getSpec().getRules())
        && (wanted.getSpec().getTls().isEmpty()
            || there.getSpec().getTls().equals(wanted.getSpec().getTls()))
        && (wanted.getSpec().getIngressClassName() == null
            || wanted
                .getSpec()
                .getIngressClassName()
                .equals(there.getSpec().getIngressClassName()));
  }

  private static boolean contains(
      @Nullable Map<String, String> there, @Nullable Map<String, String> wanted) {
    return orNone(there).entrySet().containsAll(orNone(wanted).entrySet());
  }

  private static Map<String, String> orNone(@Nullable Map<String, String> entries) {
    return Objects.requireNonNullElse(entries, Map.of());
  }
}
