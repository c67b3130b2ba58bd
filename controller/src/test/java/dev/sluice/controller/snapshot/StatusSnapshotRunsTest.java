package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.deployment.Deployed;
import dev.sluice.controller.deployment.SeenDeployment;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.TemporalCallsStandIn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often the runs of what is taken without a FlinkStateSnapshot are started and signalled. */
class StatusSnapshotRunsTest {

  private static final Duration RESYNC = ReconcileIntervals.defaults().resync();

  private final MovableClock clock = new MovableClock(Deployed.NOW);
  private final TemporalCallsStandIn temporal = new TemporalCallsStandIn();
  private final OperationDispatcher dispatcher =
      new OperationDispatcher(temporal, clock, ReconcileIntervals.defaults());
  private final StatusSnapshotRuns runs =
      new StatusSnapshotRuns(dispatcher, ReconcileIntervals.defaults());

  private static SeenDeployment seen(@Nullable StatusSnapshot begun) {
    Deployed given = Deployed.running();
    return given
        .status(
            given
                .resource()
                .getStatus()
                .withSnapshots(begun == null ? null : new StatusSnapshots(begun, null)))
        .snapshot();
  }

  @Test
  void what_is_not_asked_for_has_no_run_and_is_not_looked_at_again() {
    assertThat(runs.request(seen(null))).isEmpty();

    assertThat(temporal.calls()).isEmpty();
  }

  @Test
  void what_is_asked_for_is_started_once_and_looked_at_again() {
    SeenDeployment seen = seen(new StatusSnapshot("manual-5", "MANUAL", "NATIVE", 5L, null));

    for (int i = 0; i < 100; i++) {
      assertThat(runs.request(seen)).containsExactly(RESYNC);
    }

    assertThat(temporal.calls()).containsExactly("check orders");
  }
}
