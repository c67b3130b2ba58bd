package dev.sluice.controller.snapshot;

import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.snapshot.SnapshotStore;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.MetadataPatch;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.workflows.model.ResourceRef;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Reconciles FlinkStateSnapshots. It is called for every event, also of a resource that is gone,
 * because it keeps the finalizer itself.
 */
public final class FlinkStateSnapshotReconciler
    extends LaneReconciler<FlinkStateSnapshot, FlinkStateSnapshotStatus, SeenSnapshot> {

  private final MetadataPatch metadata;
  private final SnapshotStore store;

  public FlinkStateSnapshotReconciler(Shared shared) {
    super(shared, FlinkStateSnapshot.class, new SnapshotProjection(shared.clock()));
    this.metadata = new MetadataPatch(shared.client());
    this.store = new SnapshotStore(SingleTry.of(shared.client()), new ResourceStores(List.of()));
  }

  @Override
  public Registration<FlinkStateSnapshot> registration() {
    return new Registration<>("sluice-snapshots", (now, before) -> true, null);
  }

  /** The API server checks the spec. */
  @Override
  public Verdict check(FlinkStateSnapshot resource) {
    return new Verdict(List.of(), List.of());
  }

  @Override
  protected UpdateControl<FlinkStateSnapshot> reconcile(
      FlinkStateSnapshot resource, ResourceRef ref, Context<FlinkStateSnapshot> context) {
    SeenSnapshot seen = observe(resource, ref, context);
    if (context.isPrimaryResourceDeleted()) {
      // without a finalizer nothing waited for the run of it, if one is open
      var unused = request(seen, SnapshotPlanner.onceGone(seen));
      forget(seen.resource());
      return UpdateControl.noUpdate();
    }
    seen = observe(keep(seen), ref, context);
    seen = observe(begun(seen, context), ref, context);
    ReconcileAction decision = decide(seen);
    if (decision instanceof RemoveFinalizer) {
      release(seen.resource());
      return UpdateControl.noUpdate();
    }
    return after(publishAndRequest(seen, decision, context));
  }

  /**
   * Keeps the labels, and the finalizer of a savepoint whose files go with the resource, unless it
   * is being deleted.
   *
   * @return the resource as it is then
   */
  private FlinkStateSnapshot keep(SeenSnapshot seen) {
    FlinkStateSnapshot resource = seen.resource();
    Map<String, Object> change = new HashMap<>();
    Map<String, String> labels =
        Objects.requireNonNullElse(resource.getMetadata().getLabels(), Map.of());
    Map<String, String> wanted = SnapshotLabels.of(resource);
    if (!labels.entrySet().containsAll(wanted.entrySet())) {
      change.put("labels", wanted);
    }
    boolean disposed = resource.getSpec().isDisposedWithResource();
    if (disposed != seen.hasFinalizer()) {
      change.put("finalizers", finalizers(resource, disposed));
    }
    return seen.isDeleting() || change.isEmpty() ? resource : metadata.apply(resource, change);
  }

  /** Lets a deleted resource go. */
  private void release(FlinkStateSnapshot resource) {
    FlinkStateSnapshot unused =
        metadata.apply(resource, Map.of("finalizers", finalizers(resource, false)));
  }

  private static List<String> finalizers(FlinkStateSnapshot resource, boolean ours) {
    List<String> all =
        new ArrayList<>(
            Objects.requireNonNullElse(resource.getMetadata().getFinalizers(), List.of()));
    all.remove(FlinkStateSnapshot.FINALIZER);
    if (ours) {
      all.add(FlinkStateSnapshot.FINALIZER);
    }
    return all;
  }

  /** The first write of the status, also while Temporal is away. */
  private FlinkStateSnapshot begun(SeenSnapshot seen, Context<FlinkStateSnapshot> context) {
    FlinkStateSnapshot resource = seen.resource();
    if (resource.getStatus().state() != null || (seen.isDeleting() && seen.isForced())) {
      return resource;
    }
    FlinkStateSnapshot written = store.begin(resource);
    StatusWriter.remember(written, resource, context);
    return written;
  }

  @Override
  protected SeenSnapshot observe(
      FlinkStateSnapshot resource, ResourceRef ref, Context<FlinkStateSnapshot> context) {
    return new SeenSnapshot(resource, ref, TemporalAnswers.of(resource.getStatus()::condition));
  }

  @Override
  protected ReconcileAction decide(SeenSnapshot seen) {
    return SnapshotPlanner.decide(seen);
  }

  @Override
  protected SeenSnapshot with(
      SeenSnapshot seen, FlinkStateSnapshot resource, TemporalAnswers learned) {
    return new SeenSnapshot(resource, seen.ref(), learned);
  }

  @Override
  protected Stream<StatusEvent> changes(SeenSnapshot seen, FlinkStateSnapshotStatus after) {
    return Stream.ofNullable(seen.temporal().unavailable())
        .filter(it -> seen.isWanted())
        .map(it -> StatusEvent.warning(EventReasons.TEMPORAL_UNAVAILABLE, it));
  }

  @Override
  protected String left() {
    return "Its files stay.";
  }
}
