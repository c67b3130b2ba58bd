package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bootstrap.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerSettingsTest {

  @Test
  void withoutAnyValueItIsASmallWorkerForAllNamespaces() {
    assertThat(WorkerSettings.from(new Settings(Map.of())))
        .isEqualTo(new WorkerSettings(Set.of(), "sluice", 32, 16, 100, Duration.ofSeconds(5)));
  }

  @Test
  void namespacesAreSeparatedByCommas() {
    Settings settings = new Settings(Map.of("SLUICE_WATCH_NAMESPACES", "a, b"));

    assertThat(WorkerSettings.from(settings).namespaces()).containsExactlyInAnyOrder("a", "b");
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_MAX_ACTIVITIES,0",
    "SLUICE_MAX_WORKFLOW_TASKS,many",
    "SLUICE_WORKFLOW_CACHE,-1",
    "SLUICE_TEMPORAL_RETRY,0s"
  })
  void aWrongValueStopsTheProcess(String key, String value) {
    Settings settings = new Settings(Map.of(key, value));

    WorkerSettings.from(settings);

    assertThatThrownBy(settings::check).hasMessageContaining(key + "=" + value + ": allowed is");
  }
}
