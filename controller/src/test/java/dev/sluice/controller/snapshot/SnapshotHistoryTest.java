package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.snapshot.HistoryLimits;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.deployment.Deployed;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotHistoryTest {

  /** Each letter is a snapshot, one hour older than the one before it. */
  @ParameterizedTest(name = "{0} keeping {1}, {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // periodic savepoints: C completed, F failed, A abandoned, P pending, I in progress
        "CCC | 10 | - | -",
        "CCC | 2 | - | 3",
        "CCCC | 1 | - | 2 3 4",
        "CCC | 0 | - | 2 3",
        "CCCC | 10 | PT2H30M | 4",
        "CCC | 10 | PT30M | 2 3",
        "ICCC | 2 | - | 4",
        "CCIP | 1 | - | 2", // FLINK-40384
        "CIP | 0 | PT1M | -",
        "FFC | 1 | PT1H | 2",
        "FAFC | 1 | - | 2 3",
        "CFFF | 2 | - | 4",
        "FFFF | 10 | PT90M | 3 4",
        // completed ones: U of an upgrade, M by hand, T somebody else's, E of an earlier resource
        "CUCU | 2 | - | 3 4",
        "UU | 1 | PT1M | 2",
        "CCMT | 1 | PT1M | 2",
        "ECCE | 1 | PT1M | 3",
        // K a checkpoint, D a savepoint that is being deleted
        "KCC | 2 | - | -",
        "CCD | 1 | - | 2",
      })
  void theNewestStayAndWhatIsTooOldOrTooManyGoes(
      String states, int count, @Nullable Duration age, @Nullable String deleted) {
    List<FlinkStateSnapshot> made =
        IntStream.range(0, states.length()).mapToObj(i -> made(states.charAt(i), i)).toList();

    assertThat(deleted(made, new HistoryLimits(count, age)))
        .isEqualTo(deleted == null ? "" : deleted);
  }

  private static FlinkStateSnapshot made(char letter, int hours) {
    SnapshotState state =
        switch (letter) {
          case 'F' -> SnapshotState.FAILED;
          case 'A' -> SnapshotState.ABANDONED;
          case 'P' -> SnapshotState.TRIGGER_PENDING;
          case 'I' -> SnapshotState.IN_PROGRESS;
          default -> SnapshotState.COMPLETED;
        };
    TriggerType trigger =
        switch (letter) {
          case 'U' -> TriggerType.UPGRADE;
          case 'M' -> TriggerType.MANUAL;
          default -> TriggerType.PERIODIC;
        };
    FlinkStateSnapshot made =
        MadeSnapshots.made(
            letter == 'K' ? SnapshotType.CHECKPOINT : SnapshotType.SAVEPOINT,
            trigger,
            hours + 1,
            Duration.ofHours(hours),
            state);
    switch (letter) {
      case 'T' -> made.getMetadata().getLabels().remove("app.kubernetes.io/managed-by");
      case 'E' -> made.getMetadata().getLabels().put("sluice.dev/job-reference-uid", "earlier");
      case 'D' -> made.getMetadata().setDeletionTimestamp(Deployed.NOW.toString());
      default -> {}
    }
    return made;
  }

  private static String deleted(List<FlinkStateSnapshot> made, HistoryLimits limits) {
    return SnapshotHistory.excess(SnapshotType.SAVEPOINT, Deployed.UID, made, limits, Deployed.NOW)
        .stream()
        .map(it -> it.getMetadata().getUid().substring("uid-".length()))
        .sorted()
        .collect(Collectors.joining(" "));
  }
}
