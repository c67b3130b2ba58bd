package dev.sluice.activities.snapshot;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.Objects;

/**
 * Step PublishSnapshot: makes the FlinkStateSnapshot of the savepoint that an operation stopped its
 * job with, or records it in the status where there are none.
 */
public final class PublishSnapshot implements PublishActivities {

  /** What the API server says of a namespace that is being deleted: it takes nothing any more. */
  private static final String TERMINATING = "being terminated";

  private final SnapshotStore snapshots;
  private final ResourceStores stores;
  private final ResourceEvents events;
  private final Clock clock;

  /**
   * @param stores of the kinds that run jobs
   */
  public PublishSnapshot(KubernetesClient client, ResourceStores stores, Clock clock) {
    this.snapshots = new SnapshotStore(client, stores);
    this.stores = stores;
    this.events = new ResourceEvents(client, clock);
    this.clock = clock;
  }

  @Override
  public void publish(PublishRequest request) {
    ResourceRef ref = request.resource();
    Savepoint taken = request.taken();
    ResourceStore store = stores.of(ref);
    StoredResource owner = store.read(ref);
    FlinkStateSnapshot wanted =
        RequestedSnapshot.ofTaken(
            JobKind.of(ref.kind()), owner.metadata(), taken, owner.operatorConfiguration());
    String name = wanted.getMetadata().getName();
    try {
      boolean made =
          SnapshotResources.isEnabled(owner.operatorConfiguration())
              && snapshots.create(wanted).isPresent();
      if (made) {
        note(
            ref,
            store,
            false,
            "FlinkStateSnapshot %s was made for the savepoint %s, which the job was stopped with."
                .formatted(name, taken.location()),
            name);
      } else {
        recordInStatus(ref, store, taken);
      }
    } catch (ApplicationFailure failed) {
      note(
          ref,
          store,
          true,
          "The savepoint %s, which the job was stopped with, has no FlinkStateSnapshot: %s."
              .formatted(taken.location(), failed.getOriginalMessage()),
          name);
      if (!failed.isNonRetryable() && !failed.getOriginalMessage().contains(TERMINATING)) {
        throw failed;
      }
    }
  }

  private void note(
      ResourceRef ref, ResourceStore store, boolean warning, String message, String name) {
    events.note(
        store.type(),
        ref,
        warning,
        warning ? EventReasons.SNAPSHOT_ERROR : EventReasons.SNAPSHOT_REQUESTED,
        message,
        ref.laneId(),
        name);
  }

  private void recordInStatus(ResourceRef ref, ResourceStore store, Savepoint taken) {
    EffectWindow window = EffectWindow.open(clock);
    boolean unused =
        KubernetesFailure.told(
            "write the status of " + ref.display(),
            () -> ConflictRetry.then(window, () -> store.whole(ref), it -> record(it, taken)));
  }

  /** Whether it was not there. */
  private boolean record(JobResource read, Savepoint taken) {
    JobStatus before = Objects.requireNonNullElse(read.status().jobStatus(), JobStatus.EMPTY);
    JobStatus after = SnapshotInfo.withTaken(before, taken);
    if (Objects.equals(after.savepointInfo(), before.savepointInfo())) {
      return false;
    }
    GenericKubernetesResource unused =
        snapshots.write(read, new SnapshotFields(read.status().snapshots(), after));
    return true;
  }
}
