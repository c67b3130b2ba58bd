package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReactiveModeTest {
  private static final String PATH = "spec.flinkConfiguration.scheduler-mode";

  private final FlinkDeploymentSpec anywhere = Specs.configured("scheduler-mode", "REACTIVE ");
  private final FlinkDeploymentSpec reactive =
      anywhere.withMode(KubernetesDeploymentMode.STANDALONE);

  @Test
  void itIsForApplicationsInStandaloneMode() {
    assertThat(Specs.messages(reactive)).isEmpty();
  }

  @Test
  void inNativeModeFlinkWouldEnd() {
    assertThat(Specs.violations(anywhere))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.path()).isEqualTo(PATH);
              assertThat(violation.message())
                  .startsWith("reactive works with spec.mode standalone");
              assertThat(violation.reason()).isEqualTo(Reasons.INVALID_SPEC);
            });
  }

  @Test
  void onASessionClusterToo() {
    assertThat(Specs.paths(reactive.withJob(null))).contains(PATH);
  }

  @Test
  void anotherSchedulerModeIsFineEverywhere() {
    assertThat(Specs.messages(Specs.configured("scheduler-mode", "default"))).isEmpty();
  }

  @Test
  void theParallelismOfTheJobIsNamedAsWithoutEffect() {
    FlinkDeploymentSpec withSlots =
        reactive.withConfiguration(
            reactive.configuration().withAll(Map.of("taskmanager.numberOfTaskSlots", "2")));

    assertThat(Specs.warnings(withSlots.withJob(Specs.JOB.withParallelism(3))))
        .containsExactly(
            "spec.job.parallelism: has no effect on the job with scheduler-mode reactive, which"
                + " takes all slots. It only says that there are 2 TaskManagers; use"
                + " spec.taskManager.replicas");
  }

  @Test
  void besideReplicasItIsNamedOnce() {
    FlinkDeploymentSpec both =
        reactive.withTaskManager(
            new TaskManagerSpec(reactive.taskManager().resource(), null, 3, null));

    assertThat(Specs.warnings(both))
        .singleElement()
        .asString()
        .startsWith("spec.job.parallelism: has no effect beside spec.taskManager.replicas");
  }
}
