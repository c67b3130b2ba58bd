package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.bootstrap.Settings;
import dev.sluice.workflows.application.VersionLimits;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationSettingsTest {

  @Test
  void without_any_value_there_is_no_ingress_and_the_limits_are_the_usual_ones() {
    assertThat(ApplicationSettings.from(new Settings(Map.of())))
        .isEqualTo(new ApplicationSettings(ApplicationOptions.NONE, VersionLimits.DEFAULT));
  }

  @Test
  void what_lyfts_operator_was_told_can_be_told_here() {
    Settings settings =
        new Settings(
            Map.of(
                "SLUICE_APPLICATION_INGRESS_URL_FORMAT", "{{$jobCluster}}.flink.example.com",
                "SLUICE_APPLICATION_CONTAINER_NAME_FORMAT", "flink-%s",
                "SLUICE_APPLICATION_SCHEDULER_NAME", "volcano"));

    ApplicationSettings read = ApplicationSettings.from(settings);

    settings.check();
    assertThat(read.options())
        .isEqualTo(
            new ApplicationOptions("{{$jobCluster}}.flink.example.com", "flink-%s", "volcano"));
  }

  @Test
  void each_step_has_a_limit_of_its_own() {
    Settings settings =
        new Settings(
            Map.of(
                "SLUICE_APPLICATION_CLUSTER_TIMEOUT", "1m",
                "SLUICE_APPLICATION_SAVEPOINT_TIMEOUT", "2m",
                "SLUICE_APPLICATION_CANCEL_TIMEOUT", "3m",
                "SLUICE_APPLICATION_SUBMIT_TIMEOUT", "4m",
                "SLUICE_APPLICATION_JOB_TIMEOUT", "5m",
                "SLUICE_APPLICATION_DELETE_TIMEOUT", "6m"));

    assertThat(ApplicationSettings.from(settings).limits())
        .isEqualTo(new VersionLimits(60_000, 120_000, 180_000, 240_000, 300_000, 360_000));
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_APPLICATION_INGRESS_URL_FORMAT,flink.example.com",
    "SLUICE_APPLICATION_INGRESS_URL_FORMAT,https://{{$jobCluster}}.example.com",
    "SLUICE_APPLICATION_INGRESS_URL_FORMAT,{{$jobCluster}}.example.com/{{$jobCluster}}",
    "SLUICE_APPLICATION_CONTAINER_NAME_FORMAT,flink",
    "SLUICE_APPLICATION_CONTAINER_NAME_FORMAT,flink_%s",
    "SLUICE_APPLICATION_SCHEDULER_NAME,Volcano",
    "SLUICE_APPLICATION_CLUSTER_TIMEOUT,0s",
    "SLUICE_APPLICATION_JOB_TIMEOUT,soon",
    "SLUICE_APPLICATION_SAVEPOINT_TIMEOUT,25h"
  })
  void a_wrong_value_stops_the_process(String key, String value) {
    Settings settings = new Settings(Map.of(key, value));

    ApplicationSettings unused = ApplicationSettings.from(settings);

    assertThatThrownBy(settings::check).hasMessageContaining(key + "=" + value + ": allowed is");
  }
}
