package dev.sluice.activities.snapshot;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;

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
    try {
      boolean made =
          SnapshotResources.isEnabled(owner.operatorConfiguration())
              && snapshots.create(wanted).isPresent();
      if (!made) {
        snapshots.change(ref, clock, before -> before.withTaken(taken));
      }
    } catch (ApplicationFailure failed) {
      String why = failed.getOriginalMessage();
      events.note(
          store.type(),
          ref,
          true,
          EventReasons.SNAPSHOT_ERROR,
          "The savepoint %s, which the job was stopped with, has no FlinkStateSnapshot: %s."
              .formatted(taken.location(), why),
          ref.laneId(),
          wanted.getMetadata().getName());
      if (!failed.isNonRetryable() && !why.contains(TERMINATING)) {
        throw failed;
      }
    }
  }
}
