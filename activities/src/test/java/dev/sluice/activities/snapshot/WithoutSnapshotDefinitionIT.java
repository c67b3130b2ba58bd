package dev.sluice.activities.snapshot;

import static dev.sluice.activities.snapshot.PeriodicScenario.CHECKPOINTS;
import static dev.sluice.activities.snapshot.PeriodicScenario.SAVEPOINTS;
import static dev.sluice.api.common.SnapshotType.CHECKPOINT;
import static dev.sluice.api.common.SnapshotType.SAVEPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The worker on a real API server that has no definition of FlinkStateSnapshots. */
@ExtendWith(ApiServer.WithoutSnapshots.Extension.class)
class WithoutSnapshotDefinitionIT {

  private PeriodicScenario scenario;
  private ResourceRef ref;

  @BeforeEach
  void deploy(ApiServer.WithoutSnapshots older) throws IOException {
    scenario = new PeriodicScenario(older.server());
    ref = scenario.deployed(FlinkVersion.V2_2, Map.of(SAVEPOINTS, "1 h", CHECKPOINTS, "1 h"));
  }

  @AfterEach
  void close() {
    scenario.close();
  }

  @Test
  void aPeriodAsksInTheStatusOnce() {
    assertThat(scenario.create(ref, SAVEPOINT, 0)).startsWith("made orders-savepoint-");
    assertThat(scenario.create(ref, SAVEPOINT, 0))
        .as("an answer is lost")
        .startsWith("made orders-savepoint-");
    assertThat(scenario.create(ref, CHECKPOINT, 0)).startsWith("made orders-checkpoint-");

    assertThat(scenario.create(ref, SAVEPOINT, 5)).endsWith(" is still being taken");
    assertThat(scenario.status().snapshots().savepoint().isOpen()).isTrue();
  }

  /** Before files are deleted it is asked who else needs them. */
  @Test
  void thoseOfTheWholeClusterAreNone() {
    List<FlinkStateSnapshot> seen = new ArrayList<>();

    new AllResources<>(scenario.worker, FlinkStateSnapshot.class, Set.of())
        .forEachServed(seen::add);

    assertThat(seen).isEmpty();
  }
}
