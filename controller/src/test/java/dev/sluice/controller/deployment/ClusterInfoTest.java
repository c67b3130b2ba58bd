package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code status.clusterInfo} as those read it who read Apache's. */
class ClusterInfoTest {

  private static final Map<String, String> SAID =
      Map.of(
          "flink-version", "1.20.5",
          "flink-revision", "abc1234",
          "state-size", "42424242");

  @Test
  void has_the_keys_and_units_of_Apache_s_operator() {
    assertThat(info(Deployed.running().says(SAID)))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "flink-version", "1.20.5",
                "flink-revision", "abc1234",
                "total-cpu", "2.5",
                "total-memory", "5368709120",
                "state-size", "42424242"));
  }

  @Test
  void counts_the_TaskManagers_that_a_Deployment_is_scaled_to() {
    assertThat(info(Deployed.running().withTaskManagers(4).says(SAID)))
        .containsEntry("total-cpu", "4.5");
  }

  @Test
  void what_is_not_known_now_stays_as_it_was() {
    Deployed before = published(SAID);

    assertThat(info(before.says(Map.of()))).containsAllEntriesOf(SAID);
  }

  @Test
  void nothing_changes_while_Flink_does_not_answer() {
    Deployed before = published(SAID);

    assertThat(info(before.cluster(JobManager.STARTING))).isEqualTo(SAID);
  }

  @Test
  void TaskManagers_that_come_and_go_while_a_job_restarts_change_nothing() {
    Deployed before = published(SAID);

    assertThat(info(before.job(FlinkJobState.RESTARTING, false).says(SAID))).isEqualTo(SAID);
  }

  @ParameterizedTest(name = "{0} then {1}: {2}")
  @CsvSource({
    "100000000, 100000000, 100000000",
    "100000000, 125000000, 100000000",
    "100000000,  75000000, 100000000",
    "100000000, 125000001, 125000001",
    "100000000,  74999999,  74999999",
    "100000000,         0,         0",
    "     1000,   1049576,      1000",
    "     1000,   1049577,   1049577",
  })
  void a_state_that_has_hardly_grown_costs_no_write(String was, String now, String told) {
    Deployed before = published(Map.of("state-size", was));

    assertThat(info(before.says(Map.of("state-size", now)))).containsEntry("state-size", told);
  }

  @Test
  void a_size_of_another_operator_that_is_no_number_is_replaced() {
    Deployed before = published(Map.of("state-size", "unknown"));

    assertThat(info(before.says(SAID))).containsEntry("state-size", "42424242");
  }

  private static Deployed published(Map<String, String> info) {
    Deployed running = Deployed.running();
    return running.status(running.resource().getStatus().withClusterInfo(info));
  }

  private static Map<String, String> info(Deployed given) {
    SeenDeployment snapshot = given.snapshot();
    FlinkDeploymentStatus status =
        new DeploymentProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC))
            .project(snapshot, JobPlanner.decide(snapshot));
    return status.clusterInfo();
  }
}
