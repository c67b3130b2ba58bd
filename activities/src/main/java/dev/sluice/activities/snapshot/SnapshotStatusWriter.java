package dev.sluice.activities.snapshot;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.activities.status.OperationChange;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.ResourceActivities.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposedRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Writes the workflow's part of a snapshot's status by server-side apply: always all of it, only
 * onto the very version that was read, and not at all when nothing changes.
 */
final class SnapshotStatusWriter {

  private static final int LONGEST_MESSAGE = 1024;

  private final SnapshotStore store;
  private final ResourceEvents events;
  private final Clock clock;

  SnapshotStatusWriter(KubernetesClient client, SnapshotStore store, Clock clock) {
    this.store = store;
    this.events = new ResourceEvents(client, clock);
    this.clock = clock;
  }

  /** As {@code SnapshotActivities.record}. */
  void record(RecordRequest request) {
    write(
        request.report(),
        () -> store.of(request.resource(), request.snapshot()),
        now -> {
          if (now.equals(request.record())) {
            return now;
          }
          if (!now.equals(request.plannedFor())) {
            throw ApplicationFailure.newNonRetryableFailure(
                "the snapshot is %s after %d failures, which this was not planned for"
                    .formatted(now.state(), now.failures()),
                FailureType.OUTDATED);
          }
          return request.record();
        });
  }

  /** As {@code SnapshotActivities.report}. */
  void report(OperationReport report) {
    if (isOfHistory(report)) {
      tell(report); // that it is under way is told by Temporal alone
      return;
    }
    write(report, () -> store.begun(report.resource()), UnaryOperator.identity());
  }

  private static boolean isOfHistory(OperationReport report) {
    return OperationType.DELETE.wire().equals(report.run().operation())
        && StatusLane.typeOf(report.resource()).isPresent();
  }

  /** As {@code SnapshotActivities.disposed}. */
  void disposed(DisposedRequest request) {
    OperationReport report = request.report();
    if (isOfHistory(report)) {
      removed(report.resource(), request.snapshot());
    }
    report(report);
  }

  /** The files are gone, or left, so the history need not remember them (FLINK-39439). */
  private void removed(ResourceRef lane, String uid) {
    EffectWindow window = EffectWindow.open(clock);
    KubernetesFailure.told(
        "write the status of " + lane.display(),
        () ->
            ConflictRetry.<Optional<SnapshotSubject>, Boolean>then(
                window,
                () -> store.removed(lane, uid),
                subject -> {
                  subject.ifPresent(it -> store.write(it, FlinkStateSnapshotStatus.EMPTY));
                  return subject.isPresent();
                }));
  }

  private void tell(OperationReport report) {
    String event = report.event();
    if (event != null) {
      ResourceRef owner = StatusLane.owner(report.resource());
      events.tell(FlinkDeploymentStore.TYPE, owner, report, event, report.run().runId());
    }
  }

  private void write(
      OperationReport report,
      Supplier<SnapshotSubject> read,
      UnaryOperator<SnapshotRecord> change) {
    ResourceRef ref = report.resource();
    EffectWindow window = EffectWindow.open(clock);
    OperationStatus operation =
        KubernetesFailure.told(
            "write the status of " + ref.display(),
            () -> ConflictRetry.then(window, read, subject -> write(subject, report, change)));
    String event = report.event();
    if (event != null) {
      ResourceRef owner = StatusLane.owner(ref);
      events.tell(
          owner.equals(ref) ? SnapshotStore.TYPE : FlinkDeploymentStore.TYPE,
          owner,
          report,
          event,
          operation.attempt() + "@" + operation.since());
    }
  }

  private OperationStatus write(
      SnapshotSubject subject, OperationReport report, UnaryOperator<SnapshotRecord> change) {
    FlinkStateSnapshotStatus read = subject.snapshot().getStatus();
    OperationStatus before = read.operation();
    SnapshotRecord known = SnapshotStatus.record(read);
    SnapshotRecord next = change.apply(known);
    OperationStatus operation =
        OperationChange.of(
            before,
            report.saying(BoundedText.of(report.message(), LONGEST_MESSAGE)),
            clock.instant());
    if (!next.equals(known) || !Objects.equals(operation, before) || read.state() == null) {
      GenericKubernetesResource unused = store.write(subject, SnapshotStatus.of(next, operation));
    }
    return operation;
  }
}
