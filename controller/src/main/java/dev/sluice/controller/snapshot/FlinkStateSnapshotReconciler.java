package dev.sluice.controller.snapshot;

import dev.sluice.activities.snapshot.FirstStatus;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.workflows.model.ResourceRef;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reconciles FlinkStateSnapshots. It is called for every event, also of a resource that is gone,
 * because it keeps the finalizer itself.
 */
public final class FlinkStateSnapshotReconciler
    extends LaneReconciler<FlinkStateSnapshot, FlinkStateSnapshotStatus, SeenSnapshot> {

  private final SnapshotMetadata metadata;
  private final FirstStatus first;

  public FlinkStateSnapshotReconciler(Shared shared) {
    super(shared, FlinkStateSnapshot.class, new SnapshotProjection(shared.clock()));
    this.metadata = new SnapshotMetadata(shared.client());
    this.first = new FirstStatus(SingleTry.of(shared.client()));
  }

  @Override
  public UpdateControl<FlinkStateSnapshot> reconcile(
      FlinkStateSnapshot resource, Context<FlinkStateSnapshot> context) {
    ResourceRef ref = ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      SeenSnapshot seen = observe(resource, ref, context);
      if (context.isPrimaryResourceDeleted()) {
        // without a finalizer nothing waited for the run of it, if one is open
        var unused = request(seen, SnapshotPlanner.onceGone(seen));
        forget(seen.resource());
        return UpdateControl.noUpdate();
      }
      seen = observe(metadata.keep(seen), ref, context);
      seen = observe(begun(seen, context), ref, context);
      ReconcileAction decision = decide(seen);
      if (decision instanceof RemoveFinalizer) {
        metadata.release(seen.resource());
        return UpdateControl.noUpdate();
      }
      return after(publishAndRequest(seen, decision, context));
    }
  }

  /** The first write of the status, also while Temporal is away. */
  private FlinkStateSnapshot begun(SeenSnapshot seen, Context<FlinkStateSnapshot> context) {
    FlinkStateSnapshot resource = seen.resource();
    if (resource.getStatus().state() != null || (seen.isDeleting() && seen.isForced())) {
      return resource;
    }
    FlinkStateSnapshot written = first.write(resource);
    StatusWriter.remember(written, resource, context);
    return written;
  }

  @Override
  protected SeenSnapshot observe(
      FlinkStateSnapshot resource, ResourceRef ref, Context<FlinkStateSnapshot> context) {
    return SeenSnapshot.of(resource, ref, WorkflowState.of(resource.getStatus()::condition));
  }

  @Override
  protected ReconcileAction decide(SeenSnapshot seen) {
    return SnapshotPlanner.decide(seen);
  }

  @Override
  protected SeenSnapshot with(
      SeenSnapshot seen, FlinkStateSnapshot resource, WorkflowState learned) {
    return SeenSnapshot.of(resource, seen.ref(), learned);
  }

  @Override
  protected Stream<StatusEvent> changes(SeenSnapshot seen, FlinkStateSnapshotStatus after) {
    List<StatusEvent> events = new ArrayList<>(seen.requests().events());
    if (!seen.violations().isEmpty()) {
      events.add(
          StatusEvent.warning(EventReasons.VALIDATION_ERROR, SnapshotProjection.violations(seen)));
    }
    String unavailable = seen.workflow().unavailable();
    if (unavailable != null && seen.isWanted()) {
      events.add(StatusEvent.warning(EventReasons.TEMPORAL_UNAVAILABLE, unavailable));
    }
    return events.stream();
  }

  @Override
  protected String left() {
    return "Its files stay.";
  }
}
