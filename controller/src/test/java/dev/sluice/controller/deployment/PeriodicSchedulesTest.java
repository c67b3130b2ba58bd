package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
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

  @Test
  void two_resources_share_none() {
    var ref = Deployed.running().snapshot().ref();

    assertThat(PeriodicSchedules.id(ref, SnapshotType.SAVEPOINT))
        .isEqualTo(Deployed.LANE + "_periodic-savepoint");
  }
}
