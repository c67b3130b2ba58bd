package dev.sluice.activities.snapshot;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.activities.status.OperationChange;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposedRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.ReportRequest;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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
        subject -> write(subject, request.report(), now -> next(now, request)));
  }

  private static SnapshotRecord next(SnapshotRecord now, RecordRequest request) {
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
  }

  /** As {@code SnapshotActivities.report}. */
  void report(ReportRequest request) {
    OperationReport report = request.report();
    Optional<SnapshotType> type = StatusLane.typeOf(report.resource());
    String uid = request.snapshot();
    if (type.isPresent() && (isOfHistory(report) || uid == null)) {
      // that it is under way is told by Temporal alone
      tell(report, LaneEvent.of(report, type.get(), null), report.run().runId());
      return;
    }
    write(
        report,
        () ->
            type.isEmpty() || uid == null
                ? store.begun(report.resource())
                : store.of(report.resource(), uid),
        subject ->
            subject.isBegun()
                ? write(subject, report, UnaryOperator.identity())
                : report.run().runId());
  }

  private static boolean isOfHistory(OperationReport report) {
    return OperationType.DELETE.wire().equals(report.run().operation())
        && StatusLane.typeOf(report.resource()).isPresent();
  }

  /** As {@code SnapshotActivities.disposed}. */
  void disposed(DisposedRequest request) {
    OperationReport report = request.report();
    if (isOfHistory(report)) {
      Long kept = request.keptAtMs();
      removed(
          report.resource(),
          request.snapshot(),
          kept == null ? null : Instant.ofEpochMilli(kept).toString());
    }
    report(new ReportRequest(request.snapshot(), report));
  }

  /** The history forgets what is gone, or left for good, and only that (FLINK-39439). */
  private void removed(ResourceRef lane, String uid, @Nullable String keptAt) {
    EffectWindow window = EffectWindow.open(clock);
    KubernetesFailure.told(
        "write the status of " + lane.display(),
        () ->
            ConflictRetry.<Optional<SnapshotSubject>, Boolean>then(
                window,
                () -> store.removed(lane, uid, keptAt),
                subject -> {
                  subject.ifPresent(it -> store.write(it, FlinkStateSnapshotStatus.EMPTY));
                  return subject.isPresent();
                }));
  }

  private void tell(OperationReport report, @Nullable LaneEvent event, String since) {
    if (event != null) {
      ResourceRef owner = StatusLane.owner(report.resource());
      events.tell(store.typeOfOwner(owner), owner, report, event.reason(), event.message(), since);
    }
  }

  private void write(
      OperationReport report,
      Supplier<SnapshotSubject> read,
      Function<SnapshotSubject, String> change) {
    ResourceRef ref = report.resource();
    EffectWindow window = EffectWindow.open(clock);
    Written written =
        KubernetesFailure.told(
            "write the status of " + ref.display(),
            () ->
                ConflictRetry.then(
                    window, read, subject -> new Written(subject, change.apply(subject))));
    Optional<SnapshotType> type = StatusLane.typeOf(ref);
    if (type.isPresent()) {
      String name = written.subject().snapshot().getMetadata().getName();
      tell(report, LaneEvent.of(report, type.get(), name), written.since());
    } else if (report.event() != null) {
      events.tell(SnapshotStore.TYPE, report, report.event(), written.since());
    }
  }

  /**
   * @param since tells one occurrence from the next
   */
  private record Written(SnapshotSubject subject, String since) {}

  /**
   * In the status of a job, which is large, that a run has begun is told with the first thing that
   * it does: one write less for each periodic snapshot.
   */
  private static boolean isOnlyTheStart(
      SnapshotSubject subject, OperationReport report, @Nullable OperationStatus before) {
    return before == null
        && subject instanceof SnapshotSubject.InOwner
        && subject.isBegun()
        && report.state() == OperationState.RUNNING
        && report.event() == null;
  }

  private String write(
      SnapshotSubject subject, OperationReport report, UnaryOperator<SnapshotRecord> change) {
    FlinkStateSnapshotStatus read = subject.snapshot().getStatus();
    OperationStatus before = read.operation();
    SnapshotRecord known = SnapshotStatus.record(read);
    SnapshotRecord next = change.apply(known);
    OperationStatus operation =
        OperationChange.of(
            before,
            report.withMessage(BoundedText.of(report.message(), LONGEST_MESSAGE)),
            clock.instant());
    boolean tells = !Objects.equals(operation, before) && !isOnlyTheStart(subject, report, before);
    if (!next.equals(known) || tells || read.state() == null) {
      GenericKubernetesResource unused = store.write(subject, SnapshotStatus.of(next, operation));
    }
    return operation.attempt() + "@" + operation.since();
  }
}
