package dev.sluice.controller.snapshot;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.deployment.Deployed;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;

/** Snapshots of the job of a {@link Deployed}, each with a number that its path ends with. */
final class MadeSnapshots {

  private MadeSnapshots() {}

  /** One that is of that age, and of another one than those with other numbers. */
  static FlinkStateSnapshot periodic(
      SnapshotType type, int number, Duration age, SnapshotState state) {
    return made(type, TriggerType.PERIODIC, number, age, state);
  }

  static FlinkStateSnapshot made(
      SnapshotType type, TriggerType trigger, int number, Duration age, SnapshotState state) {
    FlinkStateSnapshot snapshot =
        RequestedSnapshot.of(
            type,
            trigger,
            JobKind.FLINK_DEPLOYMENT,
            new ObjectMetaBuilder()
                .withNamespace("default")
                .withName("orders")
                .withUid(Deployed.UID)
                .build(),
            "%014d".formatted(number),
            FlinkConfiguration.empty());
    snapshot.getMetadata().setUid("uid-" + number);
    snapshot.getMetadata().setCreationTimestamp(Deployed.NOW.minus(age).toString());
    snapshot.setStatus(
        FlinkStateSnapshotStatus.EMPTY
            .withState(state)
            .withPath(state == SnapshotState.COMPLETED ? "s3://b/savepoint-" + number : null));
    return snapshot;
  }
}
