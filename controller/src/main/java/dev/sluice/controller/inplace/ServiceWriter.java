package dev.sluice.controller.inplace;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Changes labels and annotations of the Services of a cluster. The Services themselves are the
 * worker's: none is made, and the spec of none is touched.
 */
public final class ServiceWriter {

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final Duration AFTER_A_WRITE = Duration.ofSeconds(5);
  private static final Duration AFTER_A_REFUSAL = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final Clock clock;
  private final ConcurrentMap<String, Attempt> attempts = new ConcurrentHashMap<>();

  /**
   * @param client stays the caller's to close
   * @param clock measures the pauses between writes of one Service
   */
  public ServiceWriter(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.clock = clock;
  }

  /**
   * Changes what differs.
   *
   * @param deployed configuration of the spec that the cluster was made from
   * @param wanted configuration of the newest spec, which is valid
   * @param seen the informer's Services of this cluster
   */
  public InPlaceOutcome bring(
      ResourceRef ref,
      FlinkConfiguration deployed,
      FlinkConfiguration wanted,
      Collection<Service> seen) {
    InPlaceOutcome all = InPlaceOutcome.DONE;
    for (Map.Entry<String, String> service :
        Map.of(ref.name() + "-rest", ServiceMetadata.REST, ref.name(), ServiceMetadata.INTERNAL)
            .entrySet()) {
      Optional<Service> there =
          seen.stream()
              .filter(it -> it.getMetadata().getName().equals(service.getKey()))
              .filter(it -> Ownership.of(it, ref) == Ownership.OURS)
              .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
              .findFirst();
      if (there.isPresent()) {
        all =
            all.and(
                bring(
                    there.get(),
                    ServiceMetadata.of(deployed, service.getValue()),
                    ServiceMetadata.of(wanted, service.getValue())));
      }
    }
    return all;
  }

  /** The resource is gone. */
  public void forget(Collection<Service> seen) {
    seen.forEach(service -> attempts.remove(service.getMetadata().getUid()));
  }

  private InPlaceOutcome bring(Service there, ServiceMetadata deployed, ServiceMetadata wanted) {
    String uid = there.getMetadata().getUid();
    Optional<String> patch = ServiceChange.patch(there, deployed, wanted);
    if (patch.isEmpty()) {
      attempts.remove(uid);
      return InPlaceOutcome.DONE;
    }
    Attempt last = attempts.get(uid);
    Instant now = clock.instant();
    if (last != null && last.patch.equals(patch.get()) && now.isBefore(last.again)) {
      return new InPlaceOutcome(
          last.outcome.problem(), List.of(), Duration.between(now, last.again));
    }
    int before = last == null ? 0 : last.failures;
    InPlaceOutcome outcome = write(there, patch.get(), before);
    boolean unavailable = outcome.problem() == null && outcome.review() != null;
    Duration pause = Objects.requireNonNullElse(outcome.review(), AFTER_A_WRITE);
    attempts.put(
        uid,
        new Attempt(
            patch.get(), clock.instant().plus(pause), outcome, unavailable ? before + 1 : 0));
    return outcome;
  }

  /**
   * @param failures how many tries in a row have failed just before
   */
  private InPlaceOutcome write(Service there, String patch, int failures) {
    String name = there.getMetadata().getName();
    try {
      KubernetesFailure.told(
          "change labels and annotations of Service " + name,
          () ->
              client
                  .services()
                  .inNamespace(there.getMetadata().getNamespace())
                  .withName(name)
                  .patch(MERGE, patch));
      return InPlaceOutcome.changed(
          StatusEvent.normal(
              EventReasons.SERVICE_CHANGED,
              "Labels and annotations of Service %s were changed.".formatted(name)));
    } catch (ApplicationFailure failed) {
      return FailureType.REFUSED.equals(failed.getType())
          ? InPlaceOutcome.held(
              Reasons.REFUSED,
              "Kubernetes refuses labels or annotations: %s. Correct them in flinkConfiguration, or"
                      .formatted(failed.getOriginalMessage())
                  + " remove what refuses them.",
              AFTER_A_REFUSAL)
          : InPlaceOutcome.later(SingleTry.pauseAfter(failures + 1));
    }
  }

  /**
   * The last try.
   *
   * @param failures how many tries in a row Kubernetes was not available for
   */
  private record Attempt(String patch, Instant again, InPlaceOutcome outcome, int failures) {}
}
