package dev.sluice.activities.snapshot;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.activities.status.OperationChange;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.ResourceActivities.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the workflow's part of a snapshot's status by server-side apply: always all of it, only
 * onto the very version that was read, and not at all when nothing changes.
 */
final class SnapshotStatusWriter {

  private static final int LONGEST_MESSAGE = 1024;

  private final KubernetesClient client;
  private final SnapshotStore store;
  private final ResourceEvents events;
  private final Clock clock;

  SnapshotStatusWriter(KubernetesClient client, SnapshotStore store, Clock clock) {
    this.client = client;
    this.store = store;
    this.events = new ResourceEvents(client, clock);
    this.clock = clock;
  }

  /** As {@code SnapshotActivities.record}. */
  void record(RecordRequest request) {
    write(
        request.report(),
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
    write(report, UnaryOperator.identity());
  }

  private void write(OperationReport report, UnaryOperator<SnapshotRecord> change) {
    ResourceRef ref = report.resource();
    EffectWindow window = EffectWindow.open(clock);
    OperationStatus operation =
        KubernetesFailure.told(
            "write the status of " + ref.display(),
            () ->
                ConflictRetry.then(
                    window, () -> store.read(ref), read -> write(read, report, change)));
    String event = report.event();
    if (event != null) {
      events.tell(SnapshotStore.TYPE, report, event, operation.attempt() + "@" + operation.since());
    }
  }

  private OperationStatus write(
      FlinkStateSnapshot read, OperationReport report, UnaryOperator<SnapshotRecord> change) {
    OperationStatus before = read.getStatus().operation();
    SnapshotRecord known = SnapshotStatus.record(read.getStatus());
    SnapshotRecord next = change.apply(known);
    OperationStatus operation =
        OperationChange.of(
            before,
            report.saying(BoundedText.of(report.message(), LONGEST_MESSAGE)),
            clock.instant());
    if (!next.equals(known)
        || !Objects.equals(operation, before)
        || read.getStatus().state() == null) {
      GenericKubernetesResource unused = apply(client, read, next, operation);
    }
    return operation;
  }

  /**
   * Writes all of it onto the very version that was read.
   *
   * @param operation null where there is no run
   * @return the resource as it is then
   */
  static GenericKubernetesResource apply(
      KubernetesClient client,
      FlinkStateSnapshot read,
      SnapshotRecord record,
      @Nullable OperationStatus operation) {
    Map<?, ?> status =
        client
            .getKubernetesSerialization()
            .convertValue(SnapshotStatus.of(record, operation), Map.class);
    GenericKubernetesResource body = Apply.status(SnapshotStore.TYPE, read.getMetadata(), status);
    return client.resource(body).subresource("status").patch(Apply.context());
  }
}
