package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.snapshot.SnapshotStore;
import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.common.KnownResources;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.snapshot.Snapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The FlinkStateSnapshots that Sluice makes for the resources of one kind: those of a nonce,
 * periodic ones, and of what operations took; the ones that are too many are deleted. The status
 * says afterwards which one was made; until that is written the same one is asked for, and found.
 *
 * @param <R> the kind of the resources
 */
public final class JobSnapshots<R extends HasMetadata> {

  /** What could not be made is tried again then. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final Class<R> kind;
  private final KnownResources known;
  private final SnapshotStore store;
  private final OperationDispatcher dispatcher;
  private final Duration resync;
  private final SnapshotCleanup cleanup;
  private final boolean served;

  /**
   * @param kind of the resources
   * @param served whether the API server knows FlinkStateSnapshots
   */
  public JobSnapshots(Class<R> kind, LaneReconciler.Shared shared, boolean served) {
    this.kind = kind;
    this.known = shared.known();
    // reconciliations wait for it
    this.store = new SnapshotStore(SingleTry.of(shared.client()), new ResourceStores(List.of()));
    this.dispatcher = shared.dispatcher();
    this.resync = shared.intervals().resync();
    this.cleanup = new SnapshotCleanup(shared.client());
    this.served = served;
  }

  /**
   * What came of {@link #carryOut}.
   *
   * @param triggers for the status
   * @param review when to look again; empty when not
   */
  public record Outcome(
      SnapshotTriggers triggers, List<StatusEvent> events, Optional<Duration> review) {}

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
    String name = Labels.of(snapshot, SnapshotLabels.REFERENCE_NAME);
    String uid = Labels.of(snapshot, SnapshotLabels.REFERENCE_UID);
    boolean ofHistory =
        uid != null
            && HasMetadata.getKind(kind).equals(Labels.of(snapshot, SnapshotLabels.REFERENCE_KIND))
            && RequestedSnapshot.isOfHistory(snapshot, uid);
    return name == null || !ofHistory
        ? Set.of()
        : Set.of(new ResourceID(name, snapshot.getMetadata().getNamespace()));
  }

  /**
   * Makes the FlinkStateSnapshots that the newest spec asks for, by a nonce or by the time, and
   * deletes those that its history has no place for.
   *
   * @param defaults the operator's Flink configuration for the resource, as it is now
   */
  public Outcome carryOut(SnapshotOwner seen, Context<R> context, FlinkConfiguration defaults) {
    Collection<FlinkStateSnapshot> made =
        served ? context.getSecondaryResources(FlinkStateSnapshot.class) : List.of();
    SnapshotTriggers triggers = SnapshotRequest.known(seen);
    List<StatusEvent> events = new ArrayList<>();
    List<Duration> reviews = new ArrayList<>();
    for (SnapshotType type : SnapshotType.values()) {
      SnapshotRequest request = SnapshotRequest.of(seen, triggers, type).orElse(null);
      if (request != null && (request.due() == null || !isTaken(type, seen, made))) {
        try {
          String name = make(seen, request, events);
          if (name == null) {
            reviews.add(AGAIN);
          } else {
            triggers = triggers.with(type, request.answer(name, seen.at()));
          }
        } catch (ApplicationFailure failed) {
          events.add(failed(request, failed.getOriginalMessage()));
          reviews.add(AGAIN);
        }
      }
      SnapshotRequest.due(seen, triggers, type)
          .map(at -> Duration.between(seen.at(), at).plusMillis(1))
          // what was due in the same moment as a nonce comes next; an open one wakes by its end
          .map(it -> it.isNegative() && request != null && request.due() == null ? AGAIN : it)
          .filter(it -> !it.isNegative())
          .ifPresent(reviews::add);
    }
    cleanup.carryOut(seen, made, known::all, defaults, events).ifPresent(reviews::add);
    return new Outcome(triggers, events, reviews.stream().min(Duration::compareTo));
  }

  /** Whether the periodic one before is still being taken; its end wakes the resource. */
  private static boolean isTaken(
      SnapshotType type, SnapshotOwner seen, Collection<FlinkStateSnapshot> made) {
    return made.stream()
        .filter(it -> RequestedSnapshot.isMade(it, TriggerType.PERIODIC, seen.ref().uid()))
        .filter(it -> it.getSpec().type() == type)
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .anyMatch(it -> !it.getStatus().stateOrPending().isFinal());
  }

  /** Returns its name; null while another one of its type is being taken in the status. */
  private @Nullable String make(
      SnapshotOwner seen, SnapshotRequest request, List<StatusEvent> events) {
    FlinkStateSnapshot wanted = request.wanted(seen);
    String name = wanted.getMetadata().getName();
    boolean asResource =
        served
            && SnapshotResources.isEnabled(seen.operatorConfiguration())
            && store.create(wanted).isPresent();
    if (!asResource && !requestInStatus(seen, wanted, request)) {
      return null;
    }
    if (request.due() == null) {
      events.add(requested(request, name, asResource));
    }
    return name;
  }

  /** False while another one of its type is being taken, or the resource has changed since. */
  private boolean requestInStatus(
      SnapshotOwner seen, FlinkStateSnapshot wanted, SnapshotRequest request) {
    return KubernetesFailure.translate(
        "write the status of " + seen.ref().display(),
        () -> {
          try {
            return store.request(
                JobResource.of(seen.resource(), seen.status()), wanted, request.nonce());
          } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_CONFLICT) {
              return false;
            }
            throw failed;
          }
        });
  }

  private static StatusEvent requested(SnapshotRequest request, String name, boolean asResource) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REQUESTED,
        asResource
            ? "FlinkStateSnapshot %s was made for %s.".formatted(name, request.display())
            : "A %s is taken for %s; status.snapshots.%s tells how it goes."
                .formatted(request.type().word(), request.display(), request.type().word()));
  }

  private static StatusEvent failed(SnapshotRequest request, String why) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "The snapshot for %s cannot be made: %s. It is tried again."
            .formatted(request.display(), why));
  }

  /**
   * Sees that what the status asks for without a FlinkStateSnapshot has its run, on a lane for each
   * type: also what was begun before the configuration changed.
   *
   * @return when to look again
   */
  public Stream<Duration> request(SnapshotOwner seen) {
    return seen.phase() == ResourcePhase.DELETING
        ? Stream.empty()
        : Stream.of(SnapshotType.values()).flatMap(type -> request(seen, type));
  }

  private Stream<Duration> request(SnapshotOwner seen, SnapshotType type) {
    ResourceRef lane = StatusLane.of(seen.ref(), type);
    StatusSnapshot open = seen.status().openSnapshot(type).orElse(null);
    if (open == null) {
      dispatcher.forget(lane);
      return Stream.empty();
    }
    String summary = "snapshot %s: %s %s".formatted(lane.display(), type.word(), open.name());
    NewRun run =
        new NewRun(
            Snapshot.TYPE,
            OperationType.SNAPSHOT,
            OperationInput.of(lane, seen.generation(), summary),
            summary,
            "`kubectl get %s -n %s %s -o jsonpath={.status.snapshots.%s}`"
                .formatted(
                    HasMetadata.getSingular(kind),
                    seen.ref().namespace(),
                    seen.ref().name(),
                    type.word()));
    return Stream.ofNullable(
        dispatcher
            .dispatch(lane, new EnsureOpen(run, seen.generation(), true, null), resync)
            .review());
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    for (SnapshotType type : SnapshotType.values()) {
      dispatcher.forget(StatusLane.of(ref, type));
    }
  }
}
