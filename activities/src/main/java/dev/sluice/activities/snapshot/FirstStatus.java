package dev.sluice.activities.snapshot;

import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.snapshot.SnapshotStore.Stored;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/**
 * The workflow's part of the status of a snapshot before it has a run: pending, or completed for a
 * savepoint that exists. Written by the field manager of the workflow, which owns it afterwards.
 */
public final class FirstStatus {

  private final KubernetesClient client;
  private final SnapshotStore store;

  /**
   * @param client stays the caller's to close
   */
  public FirstStatus(KubernetesClient client) {
    this.client = client;
    this.store = new SnapshotStore(client, new ResourceStores(List.of()));
  }

  /**
   * Writes it, in one call, and only onto the very version that was read.
   *
   * @param read a snapshot without a state
   * @return the resource as it is then
   * @throws io.fabric8.kubernetes.client.KubernetesClientException code 409 when it is not the
   *     newest version any more
   */
  public FlinkStateSnapshot write(FlinkStateSnapshot read) {
    SavepointSpec savepoint = read.getSpec().savepoint();
    String path = savepoint == null || !savepoint.exists() ? null : savepoint.pathOrNull();
    SnapshotRecord record =
        path == null
            ? SnapshotRecord.NONE
            : SnapshotRecord.NONE.completed(path, RequestedSnapshot.takenAt(read).toEpochMilli());
    GenericKubernetesResource written =
        store.write(
            new Stored(read, null), SnapshotStatus.of(record, read.getStatus().operation()));
    var serialization = client.getKubernetesSerialization();
    return serialization.unmarshal(serialization.asJson(written), FlinkStateSnapshot.class);
  }
}
