package dev.sluice.controller.snapshot;

import dev.sluice.activities.snapshot.CompletedSnapshot;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusThrottle;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees that a FlinkStateSnapshot has its run, and writes the controller's part of its status. It is
 * called for every event, also of a resource that is gone, because it keeps the finalizer itself.
 */
public final class FlinkStateSnapshotReconciler implements Reconciler<FlinkStateSnapshot> {

  private final SimpleInboundEventSource<FlinkStateSnapshot> answers =
      new SimpleInboundEventSource<>("answers");
  private static final Logger LOG = LoggerFactory.getLogger(FlinkStateSnapshotReconciler.class);

  /** Bad Request, Forbidden, Unprocessable Entity: a rule refuses it, or a right is missing. */
  private static final Set<Integer> REFUSED = Set.of(400, 403, 422);

  private final KubernetesCluster kubernetes;
  private final OperationDispatcher dispatcher;
  private final SnapshotMetadata metadata;
  private final CompletedSnapshot completed;
  private final SnapshotStatusFields fields;
  private final StatusWriter<FlinkStateSnapshot, FlinkStateSnapshotStatus> status;
  private final EventRecorder events;
  private final ReconcileIntervals intervals;

  /**
   * @param client for statuses, labels and finalizers
   * @param events records what happens
   * @param kubernetes the cluster that this controller serves
   * @param dispatcher calls Temporal
   */
  public FlinkStateSnapshotReconciler(
      KubernetesClient client,
      EventRecorder events,
      KubernetesCluster kubernetes,
      OperationDispatcher dispatcher,
      Clock clock,
      ReconcileIntervals intervals) {
    this.kubernetes = kubernetes;
    this.dispatcher = dispatcher;
    this.metadata = new SnapshotMetadata(client);
    this.completed = new CompletedSnapshot(SingleTry.of(client));
    this.fields = new SnapshotStatusFields(clock);
    this.status =
        new StatusWriter<>(
            client,
            FlinkStateSnapshot.class,
            fields,
            new StatusThrottle<>(fields, clock, intervals.liveStatus()));
    this.events = events;
    this.intervals = intervals;
  }

  @Override
  public List<EventSource<?, FlinkStateSnapshot>> prepareEventSources(
      EventSourceContext<FlinkStateSnapshot> context) {
    return List.of(answers);
  }

  @Override
  public UpdateControl<FlinkStateSnapshot> reconcile(
      FlinkStateSnapshot resource, Context<FlinkStateSnapshot> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      if (context.isPrimaryResourceDeleted()) {
        return gone(SeenSnapshot.of(resource, ref, dispatcher.state(ref)));
      }
      FlinkStateSnapshot kept =
          told(
              SeenSnapshot.of(
                  metadata.keep(SeenSnapshot.of(resource, ref, dispatcher.state(ref))),
                  ref,
                  dispatcher.state(ref)),
              context);
      SeenSnapshot seen = SeenSnapshot.of(kept, ref, dispatcher.state(ref));
      ReconcileAction decision = SnapshotPlanner.decide(seen);
      if (decision instanceof RemoveFinalizer) {
        metadata.release(kept);
        return UpdateControl.noUpdate();
      }
      submit(seen, decision);
      UpdateControl<FlinkStateSnapshot> done = UpdateControl.noUpdate();
      Stream.concat(tell(seen, context).stream(), comeBack(seen, decision).stream())
          .min(Duration::compareTo)
          .ifPresent(done::rescheduleAfter);
      return done;
    }
  }

  /**
   * What an operation took needs no run to be complete, also when it is deleted already. Where
   * Kubernetes refuses that, a run does it, and tells what is wrong.
   */
  private FlinkStateSnapshot told(SeenSnapshot seen, Context<FlinkStateSnapshot> context) {
    FlinkStateSnapshot resource = seen.resource();
    String path = seen.takenAt();
    if (path == null || (seen.isDeleting() && seen.isForced())) {
      return resource;
    }
    try {
      long taken = RequestedSnapshot.takenAt(resource).toEpochMilli();
      FlinkStateSnapshot written = completed.record(resource, path, taken);
      StatusWriter.remember(written, resource, context);
      return written;
    } catch (KubernetesClientException failed) {
      if (!REFUSED.contains(failed.getCode())) {
        throw failed; // tried again: it may be done all the same, or not the newest version
      }
      LOG.warn(
          "Kubernetes refuses to record that {} is complete: a run does it", seen.ref(), failed);
      return resource;
    }
  }

  /** Without a finalizer nothing waited for the run of it, if one is open. */
  private UpdateControl<FlinkStateSnapshot> gone(SeenSnapshot seen) {
    dispatcher.submit(seen.ref(), SnapshotPlanner.onceGone(seen), seen.workflow(), () -> {});
    dispatcher.forget(seen.ref());
    status.forget(seen.ref().uid());
    return UpdateControl.noUpdate();
  }

  private void submit(SeenSnapshot seen, ReconcileAction decision) {
    ResourceID id = ResourceID.fromResource(seen.resource());
    dispatcher.submit(seen.ref(), decision, seen.workflow(), () -> answers.propagateEvent(id));
    dispatcher.keepAnswers(seen.ref(), seen.requests().all());
  }

  private Optional<Duration> tell(SeenSnapshot seen, Context<FlinkStateSnapshot> context) {
    FlinkStateSnapshotStatus wanted = fields.project(seen);
    return status.write(seen.resource(), wanted, wanted, context, () -> tell(seen));
  }

  private void tell(SeenSnapshot seen) {
    FlinkStateSnapshot resource = seen.resource();
    seen.requests().events().forEach(event -> events.record(resource, event));
    if (!seen.violations().isEmpty()) {
      events.record(
          resource,
          StatusEvent.warning(EventReasons.VALIDATION_ERROR, SnapshotConditions.violations(seen)));
    }
    String unavailable = seen.workflow().unavailable();
    if (unavailable != null && seen.isWanted()) {
      events.record(resource, StatusEvent.warning(EventReasons.TEMPORAL_UNAVAILABLE, unavailable));
    }
  }

  private Optional<Duration> comeBack(SeenSnapshot seen, ReconcileAction decision) {
    if (seen.workflow().unavailable() != null && !(decision instanceof Nothing)) {
      return Optional.of(intervals.temporalRetry());
    }
    return seen.isWanted() || seen.isDeleting()
        ? Optional.of(intervals.resync())
        : Optional.empty();
  }
}
