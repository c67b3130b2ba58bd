package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.StableAfter;
import dev.sluice.bootstrap.Settings;
import dev.sluice.worker.WorkerSettings.Concurrency;
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
        .isEqualTo(
            new WorkerSettings(
                Set.of(),
                null,
                Duration.ofSeconds(5),
                new Concurrency(32, 1000, 16, 100),
                50,
                StableAfter.NONE,
                10,
                new WorkerSettings.SessionJobs(ArtifactSettings.from(new Settings(Map.of())), 4),
                ApplicationSettings.from(new Settings(Map.of()))));
  }

  @Test
  void namespacesAreSeparatedByCommas() {
    Settings settings = new Settings(Map.of("SLUICE_WATCH_NAMESPACES", "a, b"));

    assertThat(WorkerSettings.from(settings).namespaces()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void eachKubernetesClusterHasItsOwnTaskQueue() {
    assertThat(WorkerSettings.from(new Settings(Map.of())).taskQueue("uid-1"))
        .isEqualTo("sluice-uid-1");
  }

  @Test
  void theNameOfTheTaskQueueCanBeSet() {
    Settings settings = new Settings(Map.of("SLUICE_TASK_QUEUE", "flink"));

    assertThat(WorkerSettings.from(settings).taskQueue("uid-1")).isEqualTo("flink");
  }

  @Test
  void theNumberOfSavepointsAtATimeCanBeSet() {
    Settings settings = new Settings(Map.of("SLUICE_SAVEPOINTS_PER_WORKER", "7"));

    assertThat(WorkerSettings.from(settings).savepoints()).isEqualTo(7);
  }

  @Test
  void whenAJobIsStableCanBeSet() {
    Settings settings = new Settings(Map.of("SLUICE_STABLE_AFTER", "2m"));

    assertThat(WorkerSettings.from(settings).stableAfter()).isEqualTo(new StableAfter(120_000));
  }

  @Test
  void theNumberOfEarlierSpecsThatAreKeptCanBeSet() {
    Settings settings = new Settings(Map.of("SLUICE_REVISIONS", "3"));

    assertThat(WorkerSettings.from(settings).revisions()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_STABLE_AFTER,soon",
    "SLUICE_STABLE_AFTER,200h",
    "SLUICE_MAX_ACTIVITIES,0",
    "SLUICE_MAX_WAITS,0",
    "SLUICE_MAX_WORKFLOW_TASKS,many",
    "SLUICE_WORKFLOW_CACHE,-1",
    "SLUICE_SAVEPOINTS_PER_WORKER,-1",
    "SLUICE_REVISIONS,0",
    "SLUICE_TEMPORAL_RETRY,0s"
  })
  void aWrongValueStopsTheProcess(String key, String value) {
    Settings settings = new Settings(Map.of(key, value));

    WorkerSettings.from(settings);

    assertThatThrownBy(settings::check).hasMessageContaining(key + "=" + value + ": allowed is");
  }
}
