package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.job.JobPlanner;
import io.fabric8.kubernetes.api.model.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields of the status that are not in the table of {@link DeploymentTableTest}. */
class DeploymentProjectionTest {

  /** FLINK-33803, FLINK-36890. */
  @Test
  void every_condition_is_about_the_newest_generation() {
    assertThat(project(Deployed.changed()).conditions())
        .extracting(Condition::getObservedGeneration)
        .containsOnly(7L)
        .hasSize(4);
  }

  @Test
  void the_job_is_told_as_Flink_tells_it() {
    FlinkDeploymentStatus status = project(Deployed.running());

    assertThat(status.jobStatus().jobId()).isEqualTo(Deployed.JOB_ID);
    assertThat(status.clusterInfo()).containsEntry("flink-version", "1.20.5");
    assertThat(status.taskManager().labelSelector()).isEqualTo("app=orders,component=taskmanager");
  }

  @Test
  void the_fields_of_the_workflow_are_left_alone() {
    FlinkDeploymentStatus status = project(Deployed.upgrading());

    assertThat(status.operation()).isNull();
    assertThat(status.reconciliationStatus()).isNull();
    assertThat(status.jobStatus().upgradeSavepointPath()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "3, 2, 2",
    "2147483647, 1, 2147483647",
    "2147483647, 2, 1073741824",
    "1, 2147483647, 1",
    "-2147483648, 2, 0",
    "2, -5, 2"
  })
  void the_number_of_TaskManagers_never_overflows(int parallelism, int slots, int expected) {
    FlinkDeploymentSpec spec = DeployedSpec.valid();
    FlinkConfiguration configuration =
        spec.configuration().with("taskmanager.numberOfTaskSlots", Integer.toString(slots));

    FlinkDeploymentStatus status =
        project(
            Deployed.created()
                .spec(
                    spec.withConfiguration(configuration)
                        .withJob(spec.job().withParallelism(parallelism))));

    assertThat(status.taskManager().replicas()).isEqualTo(expected);
  }

  private static FlinkDeploymentStatus project(Deployed given) {
    SeenDeployment seen = given.snapshot();
    return Deployed.PROJECTION.project(seen, JobPlanner.decide(seen));
  }
}
