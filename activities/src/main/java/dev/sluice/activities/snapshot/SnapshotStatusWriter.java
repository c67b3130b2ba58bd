package dev.sluice.activities.snapshot;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.snapshot.SnapshotStore.InStatus;
import dev.sluice.activities.snapshot.SnapshotStore.Stored;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.activities.status.OperationChange;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
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
    write(request.report(), request);
  }

  /** As {@code SnapshotActivities.report}. */
  void report(OperationReport report) {
    write(report, null);
  }

  private void write(OperationReport report, @Nullable RecordRequest planned) {
    ResourceRef ref = report.resource();
    EffectWindow window = EffectWindow.open(clock);
    KubernetesFailure.translate(
        "write the status of " + ref.display(),
        () ->
            ConflictRetry.then(
                window,
                () -> store.read(ref),
                stored -> {
                  FlinkStateSnapshotStatus read = stored.snapshot().getStatus();
                  if (planned != null) {
                    requireCurrent(stored, planned);
                  }
                  OperationStatus operation =
                      OperationChange.of(
                          read.operation(),
                          report.withMessage(BoundedText.of(report.message(), LONGEST_MESSAGE)),
                          clock.instant());
                  FlinkStateSnapshotStatus next =
                      planned == null ? read.attempts() : planned.status();
                  if (!next.equals(read.attempts()) || !operation.equals(read.operation())) {
                    GenericKubernetesResource unused =
                        store.write(stored, next.withOperation(operation));
                  }
                  tell(stored, report, operation.attempt() + "@" + operation.since());
                  return true;
                }));
  }

  private static void requireCurrent(Stored stored, RecordRequest planned) {
    FlinkStateSnapshotStatus now = stored.snapshot().getStatus().attempts();
    boolean current =
        stored.snapshot().getMetadata().getUid().equals(planned.snapshot())
            && (now.equals(planned.status()) || now.equals(planned.plannedFor()));
    if (!current) {
      throw ApplicationFailure.newNonRetryableFailure(
          "the snapshot is %s after %d failures, or another one: this was not planned for it"
              .formatted(now.state(), now.failures()),
          FailureType.OUTDATED);
    }
  }

  /** Without a resource the event is on what runs the job, and names the snapshot. */
  private void tell(Stored stored, OperationReport report, String since) {
    if (report.event() == null) {
      return;
    }
    InStatus in = stored.inStatus();
    if (in == null) {
      events.tell(SnapshotStore.TYPE, report, report.event(), since);
      return;
    }
    JobResource owner = in.owner();
    String message = "%s %s: %s".formatted(in.type().word(), in.told().name(), report.message());
    events.tell(
        owner.type(), StatusLane.owner(report.resource()), report, report.event(), message, since);
  }
}
