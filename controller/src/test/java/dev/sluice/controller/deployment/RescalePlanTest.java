package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RescalePlanTest {

  /** Generation 6 runs with parallelism 1. */
  private static Deployed adaptive() {
    return Deployed.running().spec(spec(1)).frozen(6).stable(6).generation(7);
  }

  private static FlinkDeploymentSpec spec(int parallelism) {
    FlinkDeploymentSpec valid = DeployedSpec.valid();
    return valid
        .withConfiguration(
            valid.configuration().withAll(Map.of(InPlaceScaling.SCHEDULER, "adaptive")))
        .withJob(JobSpec.of("local:///opt/flink/job.jar", parallelism, UpgradeMode.SAVEPOINT));
  }

  @Test
  void anotherParallelismOfAnAdaptiveJobIsARescale() {
    assertThat(DecisionText.of(adaptive().spec(spec(3)))).isEqualTo("Rescale 7");
  }

  @Test
  void whereMoreHasChangedItIsAnUpgrade() {
    assertThat(DecisionText.of(adaptive().spec(spec(3).withImage("flink:2.3"))))
        .isEqualTo("Upgrade 7");
  }

  @Test
  void whetherTheStateAllowsAnotherMaximumIsLookedAtBeforeAnUpgrade() {
    assertThat(DecisionText.of(adaptive().spec(spec(3)).configured(InPlaceScaling.MAXIMUM, "9")))
        .isEqualTo("Rescale 7");
  }

  @Test
  void whereItIsSwitchedOffItIsAnUpgrade() {
    assertThat(
            DecisionText.of(adaptive().spec(spec(3)).configured(InPlaceScaling.ENABLED, "false")))
        .isEqualTo("Upgrade 7");
  }

  /** Whatever was begun is not turned into a rescale; its own run knows what it has done. */
  @Test
  void whatIsBegunIsCarriedOnAsAnUpgrade() {
    Deployed begun =
        adaptive()
            .spec(spec(3))
            .frozen(7)
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(OperationType.RESCALE, OperationState.RUNNING, 6L, 7);

    assertThat(DecisionText.of(begun)).isEqualTo("Upgrade 7 unless open");
  }
}
