package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import org.junit.jupiter.api.Test;

class SeenDeploymentTest {

  /** Or Flink would be called by the wrong scheme until its job is stopped. */
  @Test
  void while_TLS_is_switched_on_the_cluster_of_the_spec_before_is_called_without() {
    Deployed switching =
        Deployed.upgrading().configured(FlinkConfiguration.REST_TLS, "true").frozen(7);

    assertThat(hasRestTls(switching.madeFrom(6))).isFalse();
    assertThat(hasRestTls(switching.madeFrom(7))).isTrue();
  }

  private static boolean hasRestTls(Deployed deployed) {
    return deployed
        .snapshot()
        .runningSpec()
        .configuration()
        .isOn(FlinkConfiguration.REST_TLS, false);
  }
}
