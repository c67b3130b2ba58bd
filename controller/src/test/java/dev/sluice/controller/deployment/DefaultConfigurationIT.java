package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefaultConfigurationIT extends ReconcilerScenario {

  @Test
  void what_is_invalid_without_a_default_is_deployed_when_there_is_one() {
    create(
        DeployedSpec.valid()
            .withConfiguration(
                FlinkConfiguration.of(Map.of("state.checkpoints.dir", "file:///c"))));
    soon().until(() -> condition("Stalled").equals("True/InvalidSpec/1"));

    controller.useDefaults("state.savepoints.dir: file:///state/savepoints");

    soon().until(() -> isOpen("Deploy"));
  }

  @Test
  void a_change_of_a_default_starts_nothing() {
    given_generation_1_is_deployed();
    String run = runId();

    controller.useDefaults("web.timeout: 2 s");
    merge("{\"spec\":{\"job\":{\"allowNonRestoredState\":true}}}");
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    controller.useDefaults("execution.checkpointing.timeout: many");
    merge("{\"spec\":{\"job\":{\"allowNonRestoredState\":false}}}");

    soon().until(() -> condition("Stalled").equals("True/InvalidSpec/3"));
    assertThat(message("Stalled")).contains("It comes from the operator's default configuration");
    assertThat(runId()).isEqualTo(run);
    assertThat(isOpen("Upgrade")).isFalse();
  }
}
