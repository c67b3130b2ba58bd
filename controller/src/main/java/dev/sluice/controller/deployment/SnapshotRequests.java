package dev.sluice.controller.deployment;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.ScheduleDispatcher;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The FlinkStateSnapshots that a spec asks for: those of a nonce are made, periodic ones are
 * scheduled, and of these the ones that are too many are deleted.
 */
public final class SnapshotRequests {

  private final ManualSnapshots manual;
  private final PeriodicSchedules periodic;
  private final SnapshotCleanup cleanup;
  private final boolean served;
  private volatile @Nullable InformerEventSource<FlinkStateSnapshot, FlinkDeployment> snapshots;

  /**
   * @param client makes and deletes them
   * @param schedules keeps what is taken periodically
   * @param served whether the API server knows FlinkStateSnapshots
   */
  public SnapshotRequests(
      KubernetesClient client, Clock clock, ScheduleDispatcher schedules, boolean served) {
    this.manual = new ManualSnapshots(client, clock);
    this.periodic = new PeriodicSchedules(schedules);
    this.cleanup = new SnapshotCleanup(client, clock);
    this.served = served;
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param review when to look again; empty when not
   */
  record Outcome(SnapshotTriggers triggers, List<StatusEvent> events, Optional<Duration> review) {}

  /** Wakes a resource when one of its periodic snapshots has changed; knows all the others, too. */
  Optional<EventSource<?, FlinkDeployment>> eventSource(
      EventSourceContext<FlinkDeployment> context) {
    if (!served) {
      return Optional.empty();
    }
    var source =
        new InformerEventSource<FlinkStateSnapshot, FlinkDeployment>(
            InformerEventSourceConfiguration.from(FlinkStateSnapshot.class, FlinkDeployment.class)
                .withSecondaryToPrimaryMapper(SnapshotRequests::ownerOf)
                .withNamespacesInheritedFromController()
                .build(),
            context);
    snapshots = source;
    return Optional.of(source);
  }

  private Collection<FlinkStateSnapshot> inNamespace(String namespace) {
    return Objects.requireNonNull(snapshots, "event sources are made before anything is reconciled")
        .list(namespace, it -> true)
        .toList();
  }

  private static Set<ResourceID> ownerOf(FlinkStateSnapshot snapshot) {
    Map<String, String> labels =
        Objects.requireNonNullElse(snapshot.getMetadata().getLabels(), Map.of());
    String name = labels.get(SnapshotLabels.REFERENCE_NAME);
    boolean periodic =
        Labels.MANAGED_BY_SLUICE.equals(labels.get(Labels.MANAGED_BY))
            && TriggerType.PERIODIC.name().equals(labels.get(SnapshotLabels.TRIGGER_TYPE))
            && FlinkDeployment.KIND.equals(labels.get(SnapshotLabels.REFERENCE_KIND));
    return name == null || !periodic
        ? Set.of()
        : Set.of(new ResourceID(name, snapshot.getMetadata().getNamespace()));
  }

  /**
   * Carries out what the newest spec asks for.
   *
   * @param all resources that may be started from a snapshot
   * @param defaults the operator's Flink configuration for the resource, as it is now
   * @param wake brings the resource back
   */
  Outcome carryOut(
      DeploymentSnapshot seen,
      Context<FlinkDeployment> context,
      Supplier<Collection<FlinkDeployment>> all,
      FlinkConfiguration defaults,
      Runnable wake) {
    if (!served) {
      return new Outcome(SnapshotNonces.known(seen), List.of(), Optional.empty());
    }
    ManualSnapshots.Made made = manual.carryOut(seen);
    PeriodicSchedules.Kept kept = periodic.carryOut(seen, wake);
    SnapshotCleanup.Cleaned cleaned =
        cleanup.carryOut(
            seen,
            context.getSecondaryResources(FlinkStateSnapshot.class),
            new SnapshotCleanup.Others(all, () -> inNamespace(seen.ref().namespace())),
            defaults);
    return new Outcome(
        made.triggers(),
        Stream.of(made.events(), kept.events(), cleaned.events())
            .flatMap(Collection::stream)
            .toList(),
        Stream.of(
                Stream.ofNullable(made.review()),
                Stream.ofNullable(kept.review()),
                Stream.ofNullable(cleaned.review()))
            .flatMap(Function.identity())
            .min(Duration::compareTo));
  }

  /** The resource goes, and with it what was scheduled for it. */
  void end(DeploymentSnapshot seen) {
    periodic.end(seen);
  }

  /** The resource is gone. */
  void forget(ResourceRef ref) {
    manual.forget(ref.uid());
    cleanup.forget(ref.uid());
    for (SnapshotType type : SnapshotType.values()) {
      periodic.forget(ref, type);
    }
  }
}
