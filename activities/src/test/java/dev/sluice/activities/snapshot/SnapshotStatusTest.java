package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import org.junit.jupiter.api.Test;

class SnapshotStatusTest {

  /** Apache's operator does not record of which job. */
  @Test
  void whatApachesOperatorHasTriggeredIsTakenAgain() {
    SnapshotRecord read =
        SnapshotStatus.record(
            FlinkStateSnapshotStatus.EMPTY
                .withState(SnapshotState.IN_PROGRESS)
                .withTriggerId("00000000000000000000000000000009"));

    assertThat(read.isInFlight()).isFalse();
    assertThat(read.pending()).isEqualTo(SnapshotRecord.NONE);
  }
}
