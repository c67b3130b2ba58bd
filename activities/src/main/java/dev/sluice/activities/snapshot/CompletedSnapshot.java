package dev.sluice.activities.snapshot;

import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.snapshot.SnapshotSubject.OfResource;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Objects;

/**
 * The workflow's part of the status of a snapshot that needs no run, because its savepoint is known
 * to be complete. Written as a run would write it, and by the same field manager: a run that
 * disposes of it later owns these fields.
 */
public final class CompletedSnapshot {

  private final KubernetesClient client;

  /**
   * @param client stays the caller's to close
   */
  public CompletedSnapshot(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Records that it is complete, in one call, and only onto the very version that was read.
   *
   * @param path where its savepoint is
   * @param takenAtMs when that was known, ms since the epoch
   * @return the resource as it is then
   * @throws KubernetesClientException code 409 when it is not the newest version any more
   */
  public FlinkStateSnapshot record(FlinkStateSnapshot read, String path, long takenAtMs) {
    GenericKubernetesResource written =
        new SnapshotPatch(client)
            .write(
                new OfResource(read),
                SnapshotStatus.of(SnapshotRecord.NONE.completed(path, takenAtMs), null));
    var serialization = client.getKubernetesSerialization();
    return serialization.unmarshal(serialization.asJson(written), FlinkStateSnapshot.class);
  }

  /**
   * Records savepoints of operations in the history of the status, where they get no
   * FlinkStateSnapshot; in one call, only onto the very version that was read, and in none when
   * they are there.
   *
   * @param taken each with its location
   * @throws KubernetesClientException code 409 when it is not the newest version any more
   */
  public void record(JobResource read, List<Savepoint> taken) {
    JobResourceStatus status = read.status();
    JobStatus before = Objects.requireNonNullElse(status.jobStatus(), JobStatus.EMPTY);
    JobStatus after = SnapshotInfo.withTaken(before, taken);
    if (Objects.equals(after.savepointInfo(), before.savepointInfo())) {
      return;
    }
    new SnapshotPatch(client).write(read, new SnapshotFields(status.snapshots(), after));
  }
}
