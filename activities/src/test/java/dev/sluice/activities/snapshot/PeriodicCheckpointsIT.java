package dev.sluice.activities.snapshot;

import static dev.sluice.activities.snapshot.PeriodicScenario.CHECKPOINTS;
import static dev.sluice.activities.snapshot.PeriodicScenario.ENABLED;
import static dev.sluice.activities.snapshot.PeriodicScenario.SAVEPOINTS;
import static dev.sluice.api.common.SnapshotType.CHECKPOINT;
import static dev.sluice.api.common.SnapshotType.SAVEPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Periodic checkpoints, alone and beside periodic savepoints, on a real API server. */
@ExtendWith(ApiServer.Extension.class)
class PeriodicCheckpointsIT {

  private static final String CHECKPOINT_NAME = "orders-checkpoint-periodic-20261121100005";
  private static final String SAVEPOINT_NAME = "orders-savepoint-periodic-20261121100005";
  private static final String STILL = " is still being taken";

  private PeriodicScenario scenario;

  @BeforeEach
  void connect(ApiServer server) throws IOException {
    scenario = new PeriodicScenario(server);
  }

  @AfterEach
  void close() {
    scenario.close();
  }

  private List<FlinkStateSnapshot> made() {
    return scenario
        .admin
        .resources(FlinkStateSnapshot.class)
        .inNamespace(scenario.namespace)
        .list()
        .getItems();
  }

  @Test
  void aCheckpointIsMadeAsTheKeysSay() {
    ResourceRef ref =
        scenario.deployed(
            FlinkVersion.V2_2,
            Map.of(CHECKPOINTS, "1 h", "kubernetes.operator.checkpoint.type", "CONFIGURED"));

    assertThat(scenario.create(ref, CHECKPOINT, 0)).isEqualTo("made " + CHECKPOINT_NAME);

    FlinkStateSnapshot made = made().get(0);
    assertThat(made.getSpec().savepoint()).isNull();
    assertThat(made.getSpec().checkpoint().typeOrFull()).isEqualTo(CheckpointType.CONFIGURED);
    assertThat(made.getMetadata().getLabels())
        .containsEntry("snapshot.type", "CHECKPOINT")
        .containsEntry("snapshot.trigger-type", "PERIODIC");
    assertThat(made.getMetadata().getFinalizers()).as("its files are Flink's own").isEmpty();
  }

  /** Each of the two is held up by one of its own type, and by nothing else. */
  @Test
  void aSavepointThatIsBeingTakenSkipsNoCheckpointAndTheOtherWayRound() {
    ResourceRef ref =
        scenario.deployed(FlinkVersion.V2_2, Map.of(CHECKPOINTS, "5 s", SAVEPOINTS, "5 s"));

    assertThat(scenario.create(ref, SAVEPOINT, 0)).endsWith(SAVEPOINT_NAME);
    assertThat(scenario.create(ref, CHECKPOINT, 0)).endsWith(CHECKPOINT_NAME);

    assertThat(made())
        .extracting(it -> it.getMetadata().getName())
        .containsExactlyInAnyOrder(SAVEPOINT_NAME, CHECKPOINT_NAME);
    assertThat(scenario.create(ref, SAVEPOINT, 5)).isEqualTo("skipped: " + SAVEPOINT_NAME + STILL);
    assertThat(scenario.create(ref, CHECKPOINT, 5))
        .isEqualTo("skipped: " + CHECKPOINT_NAME + STILL);
  }

  @Test
  void theSameHoldsForThoseWithoutAResource() {
    ResourceRef ref =
        scenario.deployed(
            FlinkVersion.V2_2, Map.of(CHECKPOINTS, "5 s", SAVEPOINTS, "5 s", ENABLED, "false"));

    assertThat(scenario.create(ref, SAVEPOINT, 0)).isEqualTo("made " + SAVEPOINT_NAME);
    assertThat(scenario.create(ref, CHECKPOINT, 0)).isEqualTo("made " + CHECKPOINT_NAME);

    StatusSnapshots asked = scenario.status().snapshots();
    assertThat(asked.savepoint().name()).isEqualTo(SAVEPOINT_NAME);
    assertThat(asked.checkpoint().name()).isEqualTo(CHECKPOINT_NAME);
    assertThat(asked.checkpoint().formatType()).isEqualTo("FULL");
    assertThat(scenario.create(ref, CHECKPOINT, 0))
        .as("an answer is lost")
        .isEqualTo("made " + CHECKPOINT_NAME);
    assertThat(scenario.create(ref, CHECKPOINT, 5)).isEqualTo("skipped: another one" + STILL);
    assertThat(made()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"SAVEPOINT,CHECKPOINT", "CHECKPOINT,SAVEPOINT"})
  void theKeyOfOneIsNotThatOfTheOther(SnapshotType asked, SnapshotType other) {
    ResourceRef ref =
        scenario.deployed(
            FlinkVersion.V2_2, Map.of(asked == SAVEPOINT ? SAVEPOINTS : CHECKPOINTS, "1 h"));

    assertThat(scenario.create(ref, other, 0)).startsWith("ended: ");
    assertThat(scenario.ended).containsExactly("schedule-1");
    assertThat(scenario.create(ref, asked, 0)).startsWith("made ");
  }

  @Test
  void beforeFlink117ItIsSkippedAndSavepointsAreTaken() {
    ResourceRef ref =
        scenario.deployed(FlinkVersion.V1_16, Map.of(CHECKPOINTS, "1 h", SAVEPOINTS, "1 h"));

    assertThat(scenario.create(ref, CHECKPOINT, 0))
        .isEqualTo("skipped: Flink takes checkpoints by request since 1.17");
    assertThat(scenario.create(ref, SAVEPOINT, 0)).startsWith("made ");
  }
}
