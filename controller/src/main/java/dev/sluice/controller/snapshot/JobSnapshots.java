package dev.sluice.controller.snapshot;

import dev.sluice.activities.snapshot.SavepointReferences;
import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.controller.common.KnownResources;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.schedule.ScheduleCalls;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The FlinkStateSnapshots that Sluice makes for the resources of one kind: those of a nonce or an
 * annotation and of what operations took, while periodic ones are scheduled; the ones that are too
 * many are deleted.
 *
 * @param <R> the kind of the resources
 */
public final class JobSnapshots<R extends HasMetadata> {

  private final Class<R> kind;
  private final KnownResources known;
  private final ManualSnapshots manual;
  private final StatusSnapshotRuns runs;
  private final PeriodicSchedules periodic;
  private final SnapshotCleanup cleanup;
  private final boolean served;

  /**
   * @param kind of the resources
   * @param schedules for what is taken periodically
   * @param served whether the API server knows FlinkStateSnapshots
   */
  public JobSnapshots(
      Class<R> kind, LaneReconciler.Shared shared, ScheduleCalls schedules, boolean served) {
    this.kind = kind;
    this.known = shared.known();
    this.manual = new ManualSnapshots(SingleTry.of(shared.client()));
    this.runs = new StatusSnapshotRuns(shared.dispatcher(), shared.intervals());
    this.periodic = new PeriodicSchedules(schedules, shared.clock());
    this.cleanup = new SnapshotCleanup(shared.client(), shared.clock());
    this.served = served;
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param handled values of annotations that are answered, by the type of snapshot
   * @param review when to look again; empty when not
   */
  public record Outcome(
      SnapshotTriggers triggers,
      Map<SnapshotType, String> handled,
      List<StatusEvent> events,
      Optional<Duration> review) {

    /** The requests that were handled, with those that are answered now; null for none. */
    public @Nullable HandledRequests requests(@Nullable HandledRequests before) {
      HandledRequests requests = Objects.requireNonNullElse(before, HandledRequests.NONE);
      for (Map.Entry<SnapshotType, String> answered : handled.entrySet()) {
        requests = requests.with(answered.getKey(), answered.getValue());
      }
      return requests.equals(HandledRequests.NONE) ? null : requests;
    }
  }

  /** Wakes a resource when a snapshot of its history has changed. */
  public Optional<EventSource<?, R>> eventSource(EventSourceContext<R> context) {
    if (!served) {
      return Optional.empty();
    }
    return Optional.of(
        new InformerEventSource<FlinkStateSnapshot, R>(
            InformerEventSourceConfiguration.from(FlinkStateSnapshot.class, kind)
                .withSecondaryToPrimaryMapper(this::ownerOf)
                .withNamespacesInheritedFromController()
                .build(),
            context));
  }

  private Set<ResourceID> ownerOf(FlinkStateSnapshot snapshot) {
    Map<String, String> labels =
        Objects.requireNonNullElse(snapshot.getMetadata().getLabels(), Map.of());
    String name = labels.get(SnapshotLabels.REFERENCE_NAME);
    boolean ofHistory =
        HasMetadata.getKind(kind).equals(labels.get(SnapshotLabels.REFERENCE_KIND))
            && RequestedSnapshot.isOfHistory(
                snapshot, labels.getOrDefault(Labels.REFERENCE_UID, ""));
    return name == null || !ofHistory
        ? Set.of()
        : Set.of(new ResourceID(name, snapshot.getMetadata().getNamespace()));
  }

  /**
   * Carries out what the newest spec asks for.
   *
   * @param defaults the operator's Flink configuration for the resource, as it is now
   */
  public Outcome carryOut(SnapshotOwner seen, Context<R> context, FlinkConfiguration defaults) {
    boolean resources = served && SnapshotResources.isEnabled(seen.operatorConfiguration());
    Outcome made = manual.carryOut(seen, resources);
    if (!served) {
      return made;
    }
    SnapshotCleanup.Cleaned cleaned =
        cleanup.carryOut(
            seen,
            context.getSecondaryResources(FlinkStateSnapshot.class),
            () -> known.of(SavepointReferences.KINDS),
            defaults);
    return new Outcome(
        made.triggers(),
        made.handled(),
        Stream.concat(made.events().stream(), cleaned.events().stream()).toList(),
        Stream.concat(made.review().stream(), Stream.ofNullable(cleaned.review()))
            .min(Duration::compareTo));
  }

  /**
   * Has Temporal take what the status asks for, and keep the schedules; neither while the resource
   * is being deleted.
   *
   * @param events records what happens
   * @return when to look again
   */
  public Stream<Duration> request(SnapshotOwner seen, Consumer<Stream<StatusEvent>> events) {
    if (seen.phase() == ResourcePhase.DELETING) {
      return Stream.empty();
    }
    PeriodicSchedules.Kept kept = periodic.carryOut(seen);
    events.accept(kept.events().stream());
    return Stream.concat(runs.request(seen), Stream.ofNullable(kept.review()));
  }

  /** The triggers that a status has to state before anything more is taken. */
  public static SnapshotTriggers known(SnapshotOwner seen) {
    return ManualSnapshots.known(seen);
  }

  /** The resource goes, and with it what was scheduled for it. */
  public void end(SnapshotOwner seen) {
    periodic.end(seen);
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    runs.forget(ref);
    cleanup.forget(ref.uid());
    periodic.forget(ref);
  }
}
