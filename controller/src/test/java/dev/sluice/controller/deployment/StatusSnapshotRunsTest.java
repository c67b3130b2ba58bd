package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.TemporalCallsStandIn;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How often the runs of what is taken without a FlinkStateSnapshot are started and signalled. */
class StatusSnapshotRunsTest {

  private static final SnapshotTrigger FIFTH = new SnapshotTrigger(5L, "manual-5", "NATIVE");
  private static final Duration RESYNC = ReconcileIntervals.defaults().resync();

  private final MovableClock clock = new MovableClock(Deployed.NOW);
  private final TemporalCallsStandIn temporal = new TemporalCallsStandIn();
  private final AtomicInteger woken = new AtomicInteger();
  private final OperationDispatcher dispatcher =
      new OperationDispatcher(temporal, clock, ReconcileIntervals.defaults(), "temporal:7233");
  private final StatusSnapshotRuns runs =
      new StatusSnapshotRuns(dispatcher, ReconcileIntervals.defaults());

  @AfterEach
  void close() {
    dispatcher.close();
  }

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
    return seen(new SnapshotTriggers(savepoint, null, null), null);
  }

  private static SnapshotTriggers asked() {
    return new SnapshotTriggers(FIFTH, null, null);
  }

  private static StatusSnapshots begun(SnapshotState state, int failures) {
    return StatusSnapshots.NONE.with(
        SnapshotType.SAVEPOINT,
        new StatusSnapshot(
            "manual-5",
            "MANUAL",
            "NATIVE",
            5L,
            "manual-5",
            null,
            SnapshotInStatus.progress(
                FlinkStateSnapshotStatus.EMPTY.withState(state).withFailures(failures))));
  }

  private static SeenDeployment failing() {
    return seen(asked(), begun(SnapshotState.TRIGGER_PENDING, 3));
  }

  private @Nullable Duration carryOut(SeenDeployment seen) {
    return runs.carryOut(seen, SnapshotNonces.known(seen), woken::incrementAndGet);
  }

  private void carryOutAndAwait(SeenDeployment seen) {
    int before = woken.get();
    Duration unused = carryOut(seen);
    await().atMost(Duration.ofMinutes(1)).until(() -> woken.get() > before);
  }

  @Test
  void one_that_keeps_failing_is_aborted_once_for_another_nonce() {
    carryOutAndAwait(failing());
    for (int i = 0; i < 100; i++) {
      assertThat(carryOut(failing())).isEqualTo(RESYNC);
    }
    assertThat(temporal.calls()).containsExactly("signal orders");

    // when the status says nothing of it for a while
    clock.forward(RESYNC);
    carryOutAndAwait(failing());
    assertThat(temporal.calls()).containsExactly("signal orders", "check orders");
  }

  @Test
  void one_that_goes_on_all_the_same_is_aborted_with_its_next_failure() {
    carryOutAndAwait(failing());
    carryOutAndAwait(seen(asked(), begun(SnapshotState.IN_PROGRESS, 3)));

    carryOutAndAwait(seen(asked(), begun(SnapshotState.TRIGGER_PENDING, 4)));

    assertThat(temporal.calls()).filteredOn(call -> call.startsWith("signal")).hasSize(2);
  }

  /** Also where the API server refuses the status again and again. */
  @Test
  void what_is_not_written_yet_has_no_run_and_is_not_looked_at_again() {
    SeenDeployment seen = seen(null, null);

    assertThat(runs.carryOut(seen, asked(), woken::incrementAndGet)).isNull();
    assertThat(runs.carryOut(seen, asked().withRemoval("s3://1"), woken::incrementAndGet)).isNull();

    assertThat(temporal.calls()).isEmpty();
  }

  @Test
  void what_is_written_is_told_once() {
    FlinkDeploymentStatus written = seen(asked(), null).status();

    assertThat(StatusEvents.of(seen(null, null), written))
        .filteredOn(it -> it.reason().equals("SnapshotRequested"))
        .extracting(StatusEvent::message)
        .containsExactly(
            "A savepoint is taken for spec.job.savepointTriggerNonce 5; status.snapshots.savepoint"
                + " tells how it goes.");
    SnapshotTrigger annotated = new SnapshotTrigger(null, "manual", "NATIVE", "before");
    assertThat(StatusEvents.of(seen(null, null), seen(annotated).status()))
        .extracting(StatusEvent::message)
        .contains(
            "A savepoint is taken for sluice.dev/savepoint=before; status.snapshots.savepoint tells"
                + " how it goes.");
    assertThat(StatusEvents.of(seen(asked(), null), written))
        .extracting(StatusEvent::reason)
        .doesNotContain("SnapshotRequested");
    FlinkDeploymentStatus resource =
        written.withSnapshotTriggers(
            new SnapshotTriggers(new SnapshotTrigger(5L, "manual-5"), null, null));
    assertThat(StatusEvents.of(seen(null, null), resource))
        .as("a FlinkStateSnapshot was made")
        .extracting(StatusEvent::reason)
        .doesNotContain("SnapshotRequested");
  }

  @Test
  void a_disposal_that_has_begun_is_not_interrupted_by_what_is_due() {
    carryOutAndAwait(removing(null));
    assertThat(temporal.calls()).containsExactly("start orders");

    Duration unused = carryOut(removing(asked()));
    assertThat(temporal.calls()).containsExactly("start orders");

    // when the history has forgotten it
    carryOutAndAwait(seen(asked(), null));
    assertThat(temporal.calls()).containsExactly("start orders", "start orders");
  }

  private static SeenDeployment removing(@Nullable SnapshotTriggers triggers) {
    Deployed given = Deployed.running();
    FlinkDeploymentStatus status = given.resource().getStatus();
    Savepoint oldest = new Savepoint(1, "s3://1", "MANUAL", "NATIVE", 1L);
    return given
        .status(
            status
                .withSnapshotTriggers(
                    (triggers == null ? SnapshotTriggers.NONE : triggers).withRemoval("s3://1"))
                .withJobStatus(
                    JobStatus.EMPTY.withSavepointInfo(
                        new SavepointInfo(null, null, null, null, null, List.of(oldest), 0))))
        .snapshot();
  }
}
