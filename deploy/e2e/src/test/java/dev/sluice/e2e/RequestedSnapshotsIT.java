package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.PeriodicRuns;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.testing.Patience;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** FlinkStateSnapshots that the spec of a job asks for: see docs/snapshots.md. */
@Tag("e2e")
@Isolated("it kills the controller")
@OnTestCluster
class RequestedSnapshotsIT {

  private static final String OPERATOR = "kubernetes.operator.";
  private static final String MADE = "made ";

  /** Of so many before the controller is killed, and as many after that. */
  private static final int SAVEPOINTS = 2;

  /** A time whose savepoint cannot be made is skipped, however long it takes to take one. */
  @Test
  void anIntervalTakesOneSavepointEachTimeThoughTheControllerIsKilled(Scene scene) {
    // given
    Job job = scene.deployed("asked");
    Manifest kept = job.applied().config(OPERATOR + "savepoint.history.max.count", "100");
    PeriodicRuns runs = new PeriodicRuns(scene.cluster(), job);

    // when
    job.apply(kept.config(OPERATOR + "periodic.savepoint.interval", "5 s"));
    soon().until(() -> made(runs).size() >= SAVEPOINTS);
    int beforeKill = made(runs).size();
    scene.cluster().kill("controller");
    soon().until(() -> made(runs).size() >= beforeKill + SAVEPOINTS);
    job.apply(kept);
    soon().until(() -> !runs.isScheduled() && !runs.isOpen());

    // then
    assertThat(runs.ended()).extracting(PeriodicRuns.Run::due).doesNotHaveDuplicates();
    assertThat(made(runs)).doesNotHaveDuplicates();
    soon()
        .untilAsserted(
            () ->
                assertThat(
                        SnapshotOfJob.names(
                            scene.cluster(), job, "PERIODIC,snapshot.state=COMPLETED"))
                    .containsExactlyInAnyOrderElementsOf(made(runs))
                    .hasSameSizeAs(job.savepoints()));
  }

  /** The names of the snapshots that were made. */
  private static List<String> made(PeriodicRuns runs) {
    return runs.ended().stream()
        .map(PeriodicRuns.Run::result)
        .filter(it -> it.startsWith(MADE))
        .map(it -> it.substring(MADE.length()))
        .toList();
  }

  private static ConditionFactory soon() {
    return await()
        .atMost(Patience.times(2))
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions();
  }
}
