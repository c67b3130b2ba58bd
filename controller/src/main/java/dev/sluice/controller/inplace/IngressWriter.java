package dev.sluice.controller.inplace;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.Labels;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPath;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, changes and removes Ingresses, and puts right what somebody else changed of them. Nothing
 * is written while there is nothing to change. Two that want different things of one Ingress do not
 * chase each other: after a write there is a pause.
 */
public final class IngressWriter {

  private static final Logger LOG = LoggerFactory.getLogger(IngressWriter.class);

  private static final Duration AFTER_A_WRITE = Duration.ofSeconds(5);
  private static final Duration AFTER_A_REFUSAL = Duration.ofSeconds(30);
  private static final Duration WHILE_IT_GOES = Duration.ofSeconds(1);

  private final KubernetesClient client;
  private final Deletion deletion;
  private final Clock clock;
  private final ConcurrentMap<String, Attempt> attempts = new ConcurrentHashMap<>();

  /**
   * @param client stays the caller's to close
   * @param clock measures the pauses
   */
  public IngressWriter(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.deletion = new Deletion(this.client);
    this.clock = clock;
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
    Map<String, String> labels = ingress.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Labels.RESOURCE_NAME);
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
    if (isDone(ref, wanted, seen)) {
      return InPlaceOutcome.DONE;
    }
    Attempt last = attempts.get(ref.uid());
    Instant now = clock.instant();
    if (last != null && Objects.equals(last.wanted, wanted) && now.isBefore(last.again)) {
      return new InPlaceOutcome(last.problem, List.of(), Duration.between(now, last.again));
    }
    try {
      return wanted == null ? remove(ref, seen) : apply(ref, wanted);
    } catch (ApplicationFailure failed) {
      return failed(ref, wanted, failed);
    }
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    attempts.remove(ref.uid());
  }

  private boolean isDone(ResourceRef ref, @Nullable Ingress wanted, Collection<Ingress> seen) {
    if (wanted == null) {
      return seen.stream().noneMatch(there -> isOurs(there, ref));
    }
    Attempt last = attempts.get(ref.uid());
    return seen.stream()
        .filter(there -> isOurs(there, ref))
        .anyMatch(
            there ->
                IngressComparison.isAsWanted(there, wanted)
                    || (last != null && last.isResult(there, wanted)));
  }

  private static boolean isOurs(Ingress there, ResourceRef ref) {
    return Ownership.of(there, ref) == Ownership.OURS
        && there.getMetadata().getDeletionTimestamp() == null;
  }

  private InPlaceOutcome remove(ResourceRef ref, Collection<Ingress> seen) {
    seen.stream().filter(there -> isOurs(there, ref)).forEach(deletion::delete);
    attempts.put(ref.uid(), Attempt.written(null, clock.instant(), null));
    return InPlaceOutcome.changed(event("Ingress %s was removed.".formatted(ref.name())));
  }

  private InPlaceOutcome apply(ResourceRef ref, Ingress wanted) {
    Ingress live = read(wanted);
    if (live == null) {
      return write(ref, wanted, false, "Ingress %s leads %s to Service %s.");
    }
    Ownership whose = Ownership.of(live, ref);
    if (whose == Ownership.SOMEBODY_ELSE && !isLeftByApache(live, ref)) {
      String message =
          "%s; its name is needed for the Ingress of %s %s. Rename one of them, or remove spec.ingress."
              .formatted(Ownership.owners(live), ref.kind(), ref.display());
      return held(ref, wanted, Reasons.NAME_TAKEN, message);
    }
    if (whose == Ownership.EARLIER_INSTANCE || live.getMetadata().getDeletionTimestamp() != null) {
      return InPlaceOutcome.later(WHILE_IT_GOES);
    }
    if (IngressComparison.isAsWanted(live, wanted)) {
      return InPlaceOutcome.DONE; // the informer will see it in a moment
    }
    Ingress same =
        new IngressBuilder(wanted)
            .editMetadata()
            .withUid(live.getMetadata().getUid())
            .endMetadata()
            .build();
    return write(
        ref,
        same,
        true,
        IngressComparison.isMadeFrom(live, wanted)
            ? "Ingress %s was changed by somebody else; again it leads %s to Service %s."
            : "Ingress %s was changed: it leads %s to Service %s.");
  }

  /** One that older releases made belongs to the JobManager Deployment. */
  private static boolean isLeftByApache(Ingress there, ResourceRef ref) {
    return there.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            owner -> "Deployment".equals(owner.getKind()) && ref.name().equals(owner.getName()));
  }

  private @Nullable Ingress read(Ingress wanted) {
    return KubernetesFailure.told("read " + name(wanted), () -> client.resource(wanted).get());
  }

  /**
   * @param force whether fields of another manager are taken over; not where there is no Ingress:
   *     if there is one by now it has to be looked at first
   */
  private InPlaceOutcome write(ResourceRef ref, Ingress wanted, boolean force, String message) {
    PatchContext apply =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(StatusWriter.FIELD_MANAGER)
            .withForce(force)
            .build();
    Ingress result =
        KubernetesFailure.told("apply " + name(wanted), () -> client.resource(wanted).patch(apply));
    Ingress asWanted =
        new IngressBuilder(wanted).editMetadata().withUid(null).endMetadata().build();
    attempts.put(
        ref.uid(),
        Attempt.written(asWanted, clock.instant(), result.getMetadata().getResourceVersion()));
    return InPlaceOutcome.changed(
        event(message.formatted(ref.name(), address(wanted), service(wanted))));
  }

  private InPlaceOutcome failed(
      ResourceRef ref, @Nullable Ingress wanted, ApplicationFailure failed) {
    LOG.warn("{}", failed.getOriginalMessage());
    if (FailureType.REFUSED.equals(failed.getType())) {
      String message =
          "Kubernetes refuses the Ingress: %s. Correct spec.ingress, or remove what refuses it."
              .formatted(failed.getOriginalMessage());
      return held(ref, wanted, Reasons.REFUSED, message);
    }
    Attempt last = attempts.get(ref.uid());
    int failures = last == null ? 1 : last.failures + 1;
    Duration pause = SingleTry.pauseAfter(failures);
    attempts.put(ref.uid(), new Attempt(wanted, clock.instant().plus(pause), null, null, failures));
    return InPlaceOutcome.later(pause);
  }

  private InPlaceOutcome held(
      ResourceRef ref, @Nullable Ingress wanted, String reason, String message) {
    InPlaceOutcome outcome = InPlaceOutcome.held(reason, message, AFTER_A_REFUSAL);
    attempts.put(
        ref.uid(),
        new Attempt(wanted, clock.instant().plus(AFTER_A_REFUSAL), outcome.problem(), null, 0));
    return outcome;
  }

  private static StatusEvent event(String message) {
    return StatusEvent.normal(EventReasons.INGRESS_CHANGED, message);
  }

  private static String name(Ingress ingress) {
    return "Ingress %s/%s"
        .formatted(ingress.getMetadata().getNamespace(), ingress.getMetadata().getName());
  }

  private static String service(Ingress ingress) {
    HTTPIngressPath path = ingress.getSpec().getRules().get(0).getHttp().getPaths().get(0);
    return path.getBackend().getService().getName();
  }

  private static String address(Ingress ingress) {
    IngressRule rule = ingress.getSpec().getRules().get(0);
    String host = rule.getHost() == null ? "every host" : rule.getHost();
    return rule.getHttp().getPaths().stream()
        .map(HTTPIngressPath::getPath)
        .flatMap(path -> Optional.ofNullable(path).stream())
        .findFirst()
        .map(path -> rule.getHost() == null ? path : host + path)
        .orElse(host);
  }

  /**
   * The last try.
   *
   * @param again not before
   * @param version of what a write resulted in; null when it did not
   * @param failures how many tries in a row Kubernetes was not available for
   */
  private record Attempt(
      @Nullable Ingress wanted,
      Instant again,
      InPlaceOutcome.@Nullable Problem problem,
      @Nullable String version,
      int failures) {

    static Attempt written(@Nullable Ingress wanted, Instant at, @Nullable String version) {
      return new Attempt(wanted, at.plus(AFTER_A_WRITE), null, version, 0);
    }

    /**
     * Something else, like an admission webhook, has made it so: the same write changes nothing.
     */
    boolean isResult(Ingress there, Ingress want) {
      return version != null
          && version.equals(there.getMetadata().getResourceVersion())
          && want.equals(wanted);
    }
  }
}
