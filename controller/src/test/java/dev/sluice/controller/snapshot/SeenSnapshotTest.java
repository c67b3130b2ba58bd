package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Of which snapshot the path of its savepoint is known without a look. */
class SeenSnapshotTest {

  private static final Instant TAKEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final String PATH = "s3://b/savepoint-1";

  private static @Nullable String known(FlinkStateSnapshot snapshot) {
    ResourceRef ref = new ResourceRef("k", FlinkStateSnapshot.KIND, "shop", "s", "11111111-aaaa");
    return SeenSnapshot.of(snapshot, ref, WorkflowState.NOTHING).takenAt();
  }

  private static FlinkStateSnapshot madeAfter(Duration passed) {
    FlinkStateSnapshot snapshot =
        RequestedSnapshot.ofTaken(
            JobKind.FLINK_DEPLOYMENT,
            new ObjectMetaBuilder()
                .withNamespace("shop")
                .withName("orders")
                .withUid("uid-1")
                .build(),
            Savepoint.ofOperation(TAKEN.toEpochMilli(), PATH, "CANONICAL"),
            FlinkConfiguration.empty());
    snapshot.getMetadata().setCreationTimestamp(TAKEN.plus(passed).toString());
    return snapshot;
  }

  @Test
  void ofOneThatAnOperationHasJustTakenItIs() {
    assertThat(known(madeAfter(Duration.ofSeconds(2)))).isEqualTo(PATH);
  }

  /** As after {@code kubectl apply} of what {@code kubectl get -o yaml} has kept. */
  @Test
  void ofOneThatWasMadeAgainLongAfterwardsARunLooks() {
    assertThat(known(madeAfter(Duration.ofHours(2)))).isNull();
  }

  @Test
  void whatSaysNotWhenItWasTakenWasTakenWhenItWasMade() {
    FlinkStateSnapshot snapshot = madeAfter(Duration.ofHours(2));
    snapshot.getMetadata().setAnnotations(null);

    assertThat(RequestedSnapshot.takenAt(snapshot)).isEqualTo(TAKEN.plus(Duration.ofHours(2)));
    assertThat(known(snapshot)).isNull();
  }
}
