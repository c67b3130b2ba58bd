package dev.sluice.controller.snapshot;

import dev.sluice.activities.snapshot.FirstStatus;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
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
import java.util.stream.Stream;

/**
 * Sees that a FlinkStateSnapshot has its run, and writes the controller's part of its status. It is
 * called for every event, also of a resource that is gone, because it keeps the finalizer itself.
 */
public final class FlinkStateSnapshotReconciler implements Reconciler<FlinkStateSnapshot> {

  private final SimpleInboundEventSource<FlinkStateSnapshot> answers =
      new SimpleInboundEventSource<>("answers");
  private final KubernetesCluster kubernetes;
  private final OperationDispatcher dispatcher;
  private final SnapshotMetadata metadata;
  private final FirstStatus first;
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
    this.first = new FirstStatus(SingleTry.of(client));
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
          begun(
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
