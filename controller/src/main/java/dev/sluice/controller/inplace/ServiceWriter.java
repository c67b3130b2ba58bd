package dev.sluice.controller.inplace;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Changes labels and annotations of the Services of a cluster. The Services themselves are the
 * worker's: none is made, and the spec of none is touched.
 */
public final class ServiceWriter {

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final KubernetesClient client;
  private final Attempts attempts;

  /**
   * @param client stays the caller's to close
   * @param clock measures the pauses between writes of one Service
   */
  public ServiceWriter(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.attempts = new Attempts(clock);
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
    for (Map.Entry<String, String> service : names(ref).entrySet()) {
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
                    ref.uid() + service.getKey(),
                    there.get(),
                    ServiceMetadata.of(deployed, service.getValue()),
                    ServiceMetadata.of(wanted, service.getValue())));
      }
    }
    return all;
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    names(ref).keySet().forEach(name -> attempts.forget(ref.uid() + name));
  }

  private static Map<String, String> names(ResourceRef ref) {
    return Map.of(ref.name() + "-rest", ServiceMetadata.REST, ref.name(), ServiceMetadata.INTERNAL);
  }

  private InPlaceOutcome bring(
      String key, Service there, ServiceMetadata deployed, ServiceMetadata wanted) {
    String name = there.getMetadata().getName();
    Optional<String> patch = ServiceChange.patch(there, deployed, wanted);
    if (patch.isEmpty()) {
      attempts.forget(key);
      return InPlaceOutcome.DONE;
    }
    return attempts.write(
        key,
        patch.get(),
        Objects.requireNonNullElse(there.getMetadata().getResourceVersion(), ""),
        "change labels and annotations of Service " + name,
        () -> {
          Service unused =
              client
                  .services()
                  .inNamespace(there.getMetadata().getNamespace())
                  .withName(name)
                  .patch(MERGE, patch.get());
          return InPlaceOutcome.changed(
              StatusEvent.normal(
                  EventReasons.SERVICE_CHANGED,
                  "Labels and annotations of Service %s were changed.".formatted(name)));
        },
        why ->
            "Kubernetes refuses labels or annotations: %s. Correct them in flinkConfiguration, or remove what refuses them."
                .formatted(why));
  }
}
