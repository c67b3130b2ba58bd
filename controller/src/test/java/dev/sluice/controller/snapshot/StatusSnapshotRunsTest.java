package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.deployment.Deployed;
import dev.sluice.controller.deployment.DeploymentEvents;
import dev.sluice.controller.deployment.SeenDeployment;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.TemporalCallsStandIn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often the runs of what is taken without a FlinkStateSnapshot are started and signalled. */
class StatusSnapshotRunsTest {

  private static final SnapshotTrigger FIFTH = new SnapshotTrigger(5L, "manual-5", "NATIVE");
  private static final Duration RESYNC = ReconcileIntervals.defaults().resync();

  private final MovableClock clock = new MovableClock(Deployed.NOW);
  private final TemporalCallsStandIn temporal = new TemporalCallsStandIn();
  private final OperationDispatcher dispatcher =
      new OperationDispatcher(temporal, clock, ReconcileIntervals.defaults());
  private final StatusSnapshotRuns runs =
      new StatusSnapshotRuns(dispatcher, ReconcileIntervals.defaults());

  private static SeenDeployment seen(
      @Nullable SnapshotTriggers triggers, @Nullable StatusSnapshots snapshots) {
    Deployed given = Deployed.running();
    FlinkDeploymentSpec spec = given.resource().getSpec();
    FlinkDeploymentStatus status = given.resource().getStatus();
    return given
        .spec(spec.withJob(spec.job().withSavepointTriggerNonce(6L)))
        .status(status.withSnapshotTriggers(triggers).withSnapshots(snapshots))
        .snapshot();
  }

  private static SeenDeployment seen(SnapshotTrigger savepoint) {
    return seen(new SnapshotTriggers(savepoint, null), null);
  }

  private static SnapshotTriggers asked() {
    return new SnapshotTriggers(FIFTH, null);
  }

  @Test
  void what_is_not_written_yet_has_no_run_and_is_not_looked_at_again() {
    SeenDeployment seen = seen(null, null);

    assertThat(runs.request(seen)).isEmpty();

    assertThat(temporal.calls()).isEmpty();
  }

  @Test
  void what_is_written_is_told_once() {
    FlinkDeploymentStatus written = seen(asked(), null).status();

    assertThat(DeploymentEvents.of(seen(null, null), written))
        .filteredOn(it -> it.reason().equals("SnapshotRequested"))
        .extracting(StatusEvent::message)
        .containsExactly(
            "A savepoint is taken for spec.job.savepointTriggerNonce 5; status.snapshots.savepoint"
                + " tells how it goes.");
    SnapshotTrigger annotated = new SnapshotTrigger(null, "manual", "NATIVE", "before");
    assertThat(DeploymentEvents.of(seen(null, null), seen(annotated).status()))
        .extracting(StatusEvent::message)
        .contains(
            "A savepoint is taken for sluice.dev/savepoint=before; status.snapshots.savepoint tells"
                + " how it goes.");
    assertThat(DeploymentEvents.of(seen(asked(), null), written))
        .extracting(StatusEvent::reason)
        .doesNotContain("SnapshotRequested");
    FlinkDeploymentStatus resource =
        written.withSnapshotTriggers(
            new SnapshotTriggers(new SnapshotTrigger(5L, "manual-5"), null));
    assertThat(DeploymentEvents.of(seen(null, null), resource))
        .as("a FlinkStateSnapshot was made")
        .extracting(StatusEvent::reason)
        .doesNotContain("SnapshotRequested");
  }

  @Test
  void what_is_asked_for_is_started_once_and_looked_at_again() {
    SeenDeployment seen = seen(asked(), null);

    for (int i = 0; i < 100; i++) {
      assertThat(runs.request(seen)).containsExactly(RESYNC);
    }

    assertThat(temporal.calls()).containsExactly("check orders");
  }
}
