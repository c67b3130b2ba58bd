package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.controller.job.RecoveryOptions;
import dev.sluice.controller.observation.PollTarget.HealthLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys and defaults of Apache's operator. */
class RecoveryOptionsTest {

  private static final String HEALTH = "kubernetes.operator.cluster.health-check.";

  @Test
  void only_a_missing_JobManager_is_recovered_from_unless_the_keys_say_otherwise() {
    assertThat(of(Map.of())).isEqualTo(new RecoveryOptions(true, false, null));
    assertThat(
            of(
                Map.of(
                    "kubernetes.operator.jm-deployment-recovery.enabled", "false",
                    "kubernetes.operator.job.restart.failed", "True")))
        .isEqualTo(new RecoveryOptions(false, true, null));
  }

  /** FLINK-40696: as the resource says it, not as the running job reports it. */
  @ParameterizedTest(name = "interval {0}, timeout {1}, tolerable {2}: {3} min")
  @CsvSource({"1 min, , , 20", "30 min, , , 60", "1 min, 5 min, 3, 25", "90 min, 1 h, 1, 270"})
  void the_checkpoint_window_follows_from_how_the_job_takes_checkpoints(
      String interval, String timeout, String tolerable, long minutes) {
    Map<String, String> keys = new HashMap<>();
    keys.put("execution.checkpointing.interval", interval);
    keys.put("execution.checkpointing.timeout", timeout);
    keys.put("execution.checkpointing.tolerable-failed-checkpoints", tolerable);
    keys.values().removeIf(value -> value == null);
    keys.put(HEALTH + "enabled", "true");

    assertThat(of(keys).health())
        .isEqualTo(new HealthLimits(Duration.ofMinutes(2), 64, Duration.ofMinutes(minutes)));
  }

  @Test
  void each_limit_can_be_set() {
    assertThat(
            of(Map.of(
                    HEALTH + "enabled",
                    "true",
                    HEALTH + "restarts.window",
                    "5 min",
                    HEALTH + "restarts.threshold",
                    "7",
                    HEALTH + "checkpoint-progress.window",
                    "9 min",
                    "execution.checkpointing.interval",
                    "1 min"))
                .health())
        .isEqualTo(new HealthLimits(Duration.ofMinutes(5), 7, Duration.ofMinutes(9)));
  }

  @Test
  void a_window_shorter_than_two_checkpoints_would_be_a_false_alarm() {
    assertThat(
            of(Map.of(
                    HEALTH + "enabled",
                    "true",
                    HEALTH + "checkpoint-progress.window",
                    "10 s",
                    "execution.checkpointing.interval",
                    "1 min"))
                .health()
                .checkpointWindow())
        .isEqualTo(Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @CsvSource({
    "checkpoint-progress.enabled, false, 1 min",
    "checkpoint-progress.enabled, true, 0",
  })
  void a_job_need_not_complete_checkpoints(String key, String value, String interval) {
    assertThat(
            of(Map.of(
                    HEALTH + "enabled",
                    "true",
                    HEALTH + key,
                    value,
                    "execution.checkpointing.interval",
                    interval))
                .health()
                .checkpointWindow())
        .isNull();
  }

  /** It takes a checkpoint each 5 min, because Sluice says so to Flink. */
  @Test
  void a_last_state_job_without_an_interval_must_complete_checkpoints_too() {
    assertThat(deployed(UpgradeMode.LAST_STATE).health().checkpointWindow())
        .isEqualTo(Duration.ofMinutes(20));
    assertThat(deployed(UpgradeMode.SAVEPOINT).health().checkpointWindow()).isNull();
  }

  private static RecoveryOptions deployed(UpgradeMode mode) {
    FlinkDeploymentSpec valid = DeployedSpec.valid();
    FlinkDeploymentSpec spec =
        valid
            .withJob(valid.job().withUpgradeMode(mode))
            .withConfiguration(
                valid
                    .configuration()
                    .without("execution.checkpointing.interval")
                    .with(HEALTH + "enabled", "true"));
    return Deployed.running().spec(spec).frozen(6).snapshot().recovery();
  }

  private static RecoveryOptions of(Map<String, String> keys) {
    FlinkConfiguration configuration = FlinkConfiguration.of(keys);
    return RecoveryOptions.of(configuration, configuration);
  }
}
