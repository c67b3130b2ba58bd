package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What snapshots of a FlinkSessionJob go by. */
class SessionJobSnapshotsTest {

  private static final String PERIOD = "kubernetes.operator.periodic.savepoint.interval";

  private static SessionJobScene up() {
    return SessionJobScene.running().submitted().told(FlinkJobState.RUNNING);
  }

  private static SnapshotInterval interval(SessionJobScene scene) {
    return SnapshotInterval.of(scene.seen().operatorConfiguration(), SnapshotType.SAVEPOINT)
        .orElseThrow();
  }

  @Test
  void aPeriodIsInheritedFromTheSessionCluster() {
    assertThat(interval(up().clusterSays(PERIOD, "6h")))
        .isEqualTo(new SnapshotInterval.Every(Duration.ofHours(6)));
  }

  @Test
  void thePeriodOfTheJobGoesFirst() {
    assertThat(interval(up().clusterSays(PERIOD, "6h").says(PERIOD, "1h")))
        .isEqualTo(new SnapshotInterval.Every(Duration.ofHours(1)));
  }

  @Test
  void aJobIsUpOnlyWithEveryTaskAndNoOperationAtWork() {
    assertThat(up().seen().isJobUp()).isTrue();
    assertThat(SessionJobScene.upgrading().submitted().told(FlinkJobState.RUNNING).seen().isJobUp())
        .isFalse();
    assertThat(up().told(FlinkJobState.RESTARTING).seen().isJobUp()).isFalse();
  }
}
