package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.controller.deployment.Deployed;
import dev.sluice.controller.operation.TemporalFailure;
import dev.sluice.controller.schedule.ScheduleCalls;
import dev.sluice.controller.schedule.ScheduleCalls.Recurrence;
import dev.sluice.controller.support.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which schedules a resource has. */
class PeriodicSchedulesTest {

  private static final String SAVEPOINTS = "kubernetes.operator.periodic.savepoint.interval";
  private static final String CHECKPOINTS = "kubernetes.operator.periodic.checkpoint.interval";

  private static Optional<String> wanted(Deployed given, SnapshotType type) {
    return PeriodicSchedules.wanted(given.snapshot(), type).map(SnapshotInterval::text);
  }

  @Test
  void there_is_one_for_each_type_that_is_asked_for() {
    Deployed given = Deployed.running().configured(SAVEPOINTS, "6 h");
    assertThat(wanted(given, SnapshotType.SAVEPOINT)).contains("6 h");
    assertThat(wanted(given, SnapshotType.CHECKPOINT)).isEmpty();

    given.configured(CHECKPOINTS, "0 0/10 * * * ?");
    assertThat(wanted(given, SnapshotType.CHECKPOINT)).contains("0 0/10 * * * ?");
  }

  @Test
  void there_is_none_without_an_interval_or_before_the_first_deployment() {
    assertThat(wanted(Deployed.running(), SnapshotType.SAVEPOINT)).isEmpty();
    assertThat(wanted(Deployed.running().configured(SAVEPOINTS, "0"), SnapshotType.SAVEPOINT))
        .isEmpty();
    assertThat(wanted(Deployed.created().configured(SAVEPOINTS, "6 h"), SnapshotType.SAVEPOINT))
        .isEmpty();
  }

  @Test
  void it_stays_while_the_job_is_upgraded_or_suspended() {
    Deployed upgrading = Deployed.upgrading().configured(SAVEPOINTS, "6 h");
    assertThat(wanted(upgrading, SnapshotType.SAVEPOINT)).contains("6 h");

    Deployed suspended = Deployed.running().configured(SAVEPOINTS, "6 h");
    var spec = suspended.resource().getSpec();
    suspended.spec(spec.withJob(spec.job().withState(DesiredJobState.SUSPENDED))).frozen(6);
    assertThat(wanted(suspended, SnapshotType.SAVEPOINT)).contains("6 h");
  }

  @Test
  void an_invalid_spec_changes_nothing() {
    Deployed given =
        Deployed.running()
            .configured(SAVEPOINTS, "6 h")
            .frozen(6)
            .generation(7)
            .configured(SAVEPOINTS, "often");

    assertThat(given.snapshot().check().isValid()).isFalse();
    assertThat(wanted(given, SnapshotType.SAVEPOINT)).contains("6 h");
  }

  @Test
  void checkpoints_need_a_Flink_that_takes_them_by_request() {
    Deployed given = Deployed.running().configured(CHECKPOINTS, "1 h");
    given.spec(given.resource().getSpec().withFlinkVersion(FlinkVersion.V1_16)).frozen(6);

    assertThat(wanted(given, SnapshotType.CHECKPOINT)).isEmpty();
  }

  private static final class Temporal implements ScheduleCalls {
    private final List<String> calls = new ArrayList<>();
    private boolean away;

    @Override
    public void keep(Recurrence wanted) {
      call("keep " + wanted.interval().text());
    }

    @Override
    public void end(String id) {
      call("end");
    }

    private void call(String what) {
      calls.add(what);
      if (away) {
        throw TemporalFailure.of("temporal:7233", new IllegalStateException("away"));
      }
    }
  }

  private final Temporal temporal = new Temporal();
  private final MovableClock clock = new MovableClock(Deployed.NOW);
  private final PeriodicSchedules schedules = new PeriodicSchedules(temporal, clock);

  @Test
  void what_is_kept_is_looked_at_again_after_ten_minutes_or_when_it_changes() {
    Deployed given = Deployed.running().configured(SAVEPOINTS, "6 h");
    schedules.carryOut(given.snapshot());
    schedules.carryOut(given.snapshot());
    assertThat(temporal.calls).containsExactly("keep 6 h");

    given.configured(SAVEPOINTS, "7 h");
    schedules.carryOut(given.snapshot());
    clock.forward(Duration.ofMinutes(10));
    schedules.carryOut(given.snapshot());
    assertThat(temporal.calls).containsExactly("keep 6 h", "keep 7 h", "keep 7 h");

    given.configured(SAVEPOINTS, "0");
    schedules.carryOut(given.snapshot());
    schedules.carryOut(given.snapshot());
    assertThat(temporal.calls).hasSize(4).endsWith("end");
  }

  @Test
  void a_failure_is_one_event_and_is_tried_again() {
    temporal.away = true;
    Deployed given = Deployed.running().configured(SAVEPOINTS, "6 h");

    PeriodicSchedules.Kept first = schedules.carryOut(given.snapshot());
    assertThat(first.events()).extracting(it -> it.reason()).containsExactly("SnapshotError");
    assertThat(first.review()).isPositive();
    assertThat(schedules.carryOut(given.snapshot()).review()).isPositive();
    assertThat(temporal.calls).hasSize(1);

    clock.forward(first.review());
    assertThat(schedules.carryOut(given.snapshot()).events()).isEmpty();
    temporal.away = false;
    clock.forward(first.review());
    assertThat(schedules.carryOut(given.snapshot()).review()).isNull();
    assertThat(temporal.calls).hasSize(3);
  }

  @Test
  void a_resource_that_goes_ends_its_schedule_also_after_a_restart_of_the_controller() {
    Deployed given = Deployed.running().configured(SAVEPOINTS, "6 h");

    schedules.end(given.snapshot());
    schedules.forget(given.snapshot().ref());

    assertThat(temporal.calls).containsExactly("end");
  }
}
