package dev.sluice.controller.snapshot;

import dev.sluice.activities.snapshot.FirstStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.SnapshotValidation;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.MetadataPatch;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Reconciles FlinkStateSnapshots. It is called for every event, also of a resource that is gone,
 * because it keeps the finalizer itself.
 */
public final class FlinkStateSnapshotReconciler
    extends LaneReconciler<FlinkStateSnapshot, FlinkStateSnapshotStatus, SeenSnapshot> {

  private final MetadataPatch metadata;
  private final FirstStatus first;

  public FlinkStateSnapshotReconciler(Shared shared) {
    super(shared, FlinkStateSnapshot.class, new SnapshotProjection(shared.clock()));
    this.metadata = new MetadataPatch(shared.client());
    this.first = new FirstStatus(SingleTry.of(shared.client()));
  }

  /** Whether an update leads to a reconciliation: metadata, and what its workflow writes. */
  public static boolean isChange(FlinkStateSnapshot now, FlinkStateSnapshot before) {
    return !looksAt(now).equals(looksAt(before));
  }

  private static List<@Nullable Object> looksAt(FlinkStateSnapshot resource) {
    ObjectMeta metadata = resource.getMetadata();
    FlinkStateSnapshotStatus status = resource.getStatus();
    OperationStatus operation = status.operation();
    List<@Nullable Object> all = new ArrayList<>();
    all.add(metadata.getUid());
    all.add(metadata.getGeneration());
    all.add(metadata.getDeletionTimestamp());
    all.add(Objects.requireNonNullElse(metadata.getFinalizers(), List.of()));
    all.add(metadata.getAnnotations());
    all.add(metadata.getLabels());
    all.add(status.state());
    all.add(status.path());
    all.add(status.error());
    all.add(operation == null ? null : operation.withSince(null).withDeadline(null));
    return all;
  }

  @Override
  public Registration<FlinkStateSnapshot> registration() {
    return new Registration<>("sluice-snapshots", FlinkStateSnapshotReconciler::isChange, null);
  }

  @Override
  public Verdict check(FlinkStateSnapshot resource) {
    return new Verdict(SnapshotValidation.validate(resource), List.of());
  }

  @Override
  public UpdateControl<FlinkStateSnapshot> reconcile(
      FlinkStateSnapshot resource, Context<FlinkStateSnapshot> context) {
    ResourceRef ref = ref(resource);
    try (MDC.MDCCloseable log = logged(ref)) {
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
    boolean disposed = seen.violations().isEmpty() && resource.getSpec().isDisposedWithResource();
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
