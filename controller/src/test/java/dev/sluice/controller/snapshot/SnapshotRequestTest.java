package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.controller.deployment.Deployed;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which snapshots a nonce or the time asks for, and which were taken already. */
class SnapshotRequestTest {

  @Test
  void another_nonce_asks_for_a_savepoint_and_for_no_operation() {
    Deployed given = savepointNonce(Deployed.running(), 5L).generation(7);

    assertThat(pending(given, SnapshotType.SAVEPOINT)).contains(5L);
    assertThat(pending(given, SnapshotType.CHECKPOINT)).isEmpty();
    assertThat(JobPlanner.decide(given.snapshot())).isInstanceOf(Nothing.class);
  }

  @Test
  void another_nonce_asks_for_a_checkpoint() {
    Deployed given = Deployed.running();
    given.spec(given.resource().getSpec().withJob(job(given).withCheckpointTriggerNonce(1L)));

    assertThat(pending(given, SnapshotType.CHECKPOINT)).contains(1L);
    assertThat(pending(given, SnapshotType.SAVEPOINT)).isEmpty();
  }

  @Test
  void the_nonce_that_a_job_began_with_asks_for_nothing() {
    Deployed given = savepointNonce(Deployed.created(), 5L);
    assertThat(known(given)).isEqualTo(SnapshotTriggers.NONE);

    given = savepointNonce(Deployed.running(), 5L).frozen(6);

    assertThat(pending(given, SnapshotType.SAVEPOINT)).isEmpty();
    assertThat(known(given).savepoint()).isEqualTo(new SnapshotTrigger(5L, null));
  }

  @Test
  void a_nonce_that_was_answered_asks_for_nothing_more_and_nor_does_its_removal() {
    Deployed given = answered(savepointNonce(Deployed.running(), 5L), 5L, "orders-1");
    assertThat(pending(given, SnapshotType.SAVEPOINT)).isEmpty();

    savepointNonce(given, null);

    assertThat(pending(given, SnapshotType.SAVEPOINT)).isEmpty();
    assertThat(known(given).savepoint()).isEqualTo(new SnapshotTrigger(5L, "orders-1"));
  }

  @Test
  void a_nonce_that_came_together_with_an_upgrade_is_answered_by_the_job_that_it_started() {
    Deployed begun = savepointNonce(Deployed.changed(), 5L);
    SnapshotTriggers written = known(begun);
    assertThat(written.savepoint()).isEqualTo(new SnapshotTrigger(null, null));
    assertThat(pending(begun, SnapshotType.SAVEPOINT)).isEmpty();

    Deployed upgrading = savepointNonce(Deployed.upgrading(), 5L).frozen(7);
    says(upgrading, written);
    assertThat(pending(upgrading, SnapshotType.SAVEPOINT)).isEmpty();

    Deployed upgraded =
        savepointNonce(Deployed.running(), 5L)
            .generation(7)
            .frozen(7)
            .reconciliation(ReconciliationState.DEPLOYED);
    says(upgraded, written);
    assertThat(pending(upgraded, SnapshotType.SAVEPOINT)).contains(5L);
  }

  @Test
  void a_nonce_of_an_upgrade_is_answered_although_no_status_was_written_while_it_ran() {
    Deployed upgraded =
        savepointNonce(Deployed.running(), 5L)
            .generation(7)
            .frozen(7)
            .reconciliation(ReconciliationState.DEPLOYED);
    says(upgraded, known(Deployed.running()));

    assertThat(pending(upgraded, SnapshotType.SAVEPOINT)).contains(5L);
  }

  private static Optional<SnapshotRequest> request(Deployed given, SnapshotType type) {
    return SnapshotRequest.of(given.snapshot(), known(given), type);
  }

  @Test
  void a_nonce_waits_for_a_job_that_is_up() {
    Deployed given = savepointNonce(Deployed.running(), 5L).job(FlinkJobState.RESTARTING, false);
    assertThat(pending(given, SnapshotType.SAVEPOINT)).isEmpty();
    assertThat(known(given).savepoint()).isEqualTo(new SnapshotTrigger(null, null));

    given.job(FlinkJobState.RUNNING, false);
    assertThat(pending(given, SnapshotType.SAVEPOINT)).isEmpty();

    given.job(FlinkJobState.RUNNING, true);
    assertThat(pending(given, SnapshotType.SAVEPOINT)).contains(5L);
  }

  @Test
  void neither_a_suspended_job_nor_an_invalid_spec_is_asked_for_anything() {
    Deployed suspended = Deployed.running();
    suspended
        .spec(
            suspended
                .resource()
                .getSpec()
                .withJob(job(suspended).withState(DesiredJobState.SUSPENDED)))
        .frozen(6);
    assertThat(pending(savepointNonce(suspended, 5L), SnapshotType.SAVEPOINT)).isEmpty();

    Deployed invalid = savepointNonce(Deployed.running(), 5L).generation(7).invalid();
    assertThat(pending(invalid, SnapshotType.SAVEPOINT)).isEmpty();
  }

  @Test
  void no_checkpoint_is_asked_of_a_Flink_that_takes_none_by_request() {
    Deployed given = Deployed.running();
    given
        .spec(given.resource().getSpec().withFlinkVersion(FlinkVersion.V1_16))
        .frozen(6)
        .spec(given.resource().getSpec().withJob(job(given).withCheckpointTriggerNonce(1L)));

    assertThat(pending(given, SnapshotType.CHECKPOINT)).isEmpty();
  }

  @Test
  void a_snapshot_has_the_same_name_after_a_crash_and_another_one_when_its_nonce_is_used_again() {
    String first = suffix(null);
    String later = suffix(new SnapshotTrigger(6L, "x"));
    String last = suffix(new SnapshotTrigger(6L, "y"));

    assertThat(first).isEqualTo(suffix(null)).matches("5-[0-9a-f]{8}");
    assertThat(first).isNotEqualTo(later);
    assertThat(later).isNotEqualTo(last);
  }

  private static final String PERIOD = "kubernetes.operator.periodic.savepoint.interval";

  private static Deployed every(String period) {
    Deployed given = Deployed.running();
    return given
        .spec(
            given
                .resource()
                .getSpec()
                .withFlinkConfiguration(
                    given
                        .resource()
                        .getSpec()
                        .configuration()
                        .with(PERIOD, period)
                        .with("state.savepoints.dir", "s3://savepoints")
                        .toJson()))
        .frozen(6);
  }

  /** Written into the status, as it stands then. */
  private static Deployed written(Deployed given) {
    return says(given, known(given));
  }

  @Test
  void a_periodic_one_is_due_an_interval_after_the_key_or_the_one_before() {
    Deployed given = written(every("6 h"));
    assertThat(known(given).savepoint().periodicTimestamp()).isEqualTo("2026-11-21T10:00:00Z");
    given.later(Duration.ofHours(6).minusMillis(1));
    assertThat(request(given, SnapshotType.SAVEPOINT)).isEmpty();

    given.later(Duration.ofHours(20));
    SnapshotRequest due = request(given, SnapshotType.SAVEPOINT).orElseThrow();
    assertThat(due.suffix("uid")).as("the same after a crash").isEqualTo("20261121160000");
    assertThat(request(given, SnapshotType.CHECKPOINT)).isEmpty();

    says(
        given,
        known(given)
            .with(
                SnapshotType.SAVEPOINT, due.answer("x", Deployed.NOW.plus(Duration.ofHours(20)))));
    assertThat(request(given, SnapshotType.SAVEPOINT)).as("missed ones are one").isEmpty();
    assertThat(SnapshotRequest.due(given.snapshot(), known(given), SnapshotType.SAVEPOINT))
        .contains(Instant.parse("2026-11-22T12:00:00Z"));
  }

  @Test
  void a_periodic_one_waits_for_its_job_and_comes_after_what_people_ask_for() {
    Deployed given = written(every("0 0 3 * * ?")).later(Duration.ofHours(18));
    assertThat(request(given.job(FlinkJobState.RESTARTING, false), SnapshotType.SAVEPOINT))
        .isEmpty();
    given.job(FlinkJobState.RUNNING, true);
    assertThat(request(given, SnapshotType.SAVEPOINT).map(SnapshotRequest::due))
        .contains(Instant.parse("2026-11-22T03:00:00Z"));

    SnapshotRequest first =
        request(savepointNonce(given, 5L), SnapshotType.SAVEPOINT).orElseThrow();
    assertThat(first.nonce()).isEqualTo(5L);
    assertThat(first.answer("x", Deployed.NOW).periodicTimestamp())
        .as("which leaves it due")
        .isEqualTo("2026-11-21T10:00:00Z");
  }

  @Test
  void a_periodic_one_is_taken_of_the_job_that_runs_although_the_newest_spec_is_invalid() {
    Deployed given = written(every("6 h")).later(Duration.ofHours(7)).invalid();

    assertThat(request(savepointNonce(given, 5L), SnapshotType.SAVEPOINT).orElseThrow().nonce())
        .isNull();
  }

  @Test
  void nothing_is_periodic_without_a_readable_key() {
    Deployed given = says(every("never"), known(written(every("6 h"))));

    assertThat(request(given.later(Duration.ofDays(1)), SnapshotType.SAVEPOINT)).isEmpty();
    assertThat(known(given).savepoint().periodicTimestamp()).isNull();
  }

  private static String suffix(@Nullable SnapshotTrigger before) {
    return new SnapshotRequest(SnapshotType.SAVEPOINT, before, 5L, null).suffix("uid");
  }

  private static JobSpec job(Deployed given) {
    return given.resource().getSpec().job();
  }

  private static Deployed savepointNonce(Deployed given, @Nullable Long nonce) {
    return given.spec(
        given.resource().getSpec().withJob(job(given).withSavepointTriggerNonce(nonce)));
  }

  private static Deployed answered(Deployed given, long nonce, String snapshot) {
    return says(given, new SnapshotTriggers(new SnapshotTrigger(nonce, snapshot), null));
  }

  private static Deployed says(Deployed given, SnapshotTriggers triggers) {
    return given.status(given.resource().getStatus().withSnapshotTriggers(triggers));
  }

  private static SnapshotTriggers known(Deployed given) {
    return SnapshotRequest.known(given.snapshot());
  }

  private static Optional<Long> pending(Deployed given, SnapshotType type) {
    return request(given, type).map(SnapshotRequest::nonce);
  }
}
