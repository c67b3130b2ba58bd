package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.snapshot.HistoryLimits;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.deployment.Deployed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotHistoryTest {

  /** Each letter is a savepoint, one hour older than the one before it. */
  @ParameterizedTest(name = "{0} keeping {1}, {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // C completed, F failed, A abandoned, P pending, I in progress
        "CCC | 10 | - | -",
        "CCC | 2 | - | 3",
        "CCCC | 1 | - | 2 3 4",
        "CCC | 0 | - | 2 3",
        "CCCC | 10 | PT2H30M | 4",
        "CCC | 10 | PT30M | 2 3",
        "ICCC | 2 | - | 4",
        "CCIP | 1 | - | 2",
        "FFC | 1 | PT1H | 2",
        "FAFC | 1 | - | 2 3",
        "CFFF | 2 | - | 4",
        "FFFF | 10 | PT90M | 3 4",
      })
  void theNewestStayAndWhatIsTooOldOrTooManyGoes(
      String states, int count, @Nullable Duration age, @Nullable String deleted) {
    List<FlinkStateSnapshot> made =
        IntStream.range(0, states.length())
            .mapToObj(
                i ->
                    MadeSnapshots.periodic(
                        SnapshotType.SAVEPOINT,
                        i + 1,
                        Duration.ofHours(i),
                        Arrays.stream(SnapshotState.values())
                            .filter(it -> initial(it) == states.charAt(i))
                            .findFirst()
                            .orElseThrow()))
            .toList();

    assertThat(deleted(made, new HistoryLimits(count, age)))
        .isEqualTo(deleted == null ? "" : deleted);
  }

  /** Kubernetes refused the resource of the older one for a while. */
  @Test
  void theNewestIsTheOneThatWasTakenLast() {
    FlinkStateSnapshot older = ofOperation(1, Duration.ofMinutes(20), Duration.ofMinutes(1));
    FlinkStateSnapshot newer = ofOperation(2, Duration.ofMinutes(10), Duration.ofMinutes(10));

    assertThat(deleted(List.of(older, newer), new HistoryLimits(1, null))).isEqualTo("1");
  }

  private static FlinkStateSnapshot ofOperation(int number, Duration taken, Duration made) {
    FlinkStateSnapshot snapshot =
        RequestedSnapshot.ofTaken(
            JobKind.FLINK_DEPLOYMENT,
            Deployed.running().resource().getMetadata(),
            Savepoint.ofOperation(
                Deployed.NOW.minus(taken).toEpochMilli(), "s3://b/savepoint-" + number, "NATIVE"),
            FlinkConfiguration.empty());
    snapshot.getMetadata().setUid("uid-" + number);
    snapshot.getMetadata().setCreationTimestamp(Deployed.NOW.minus(made).toString());
    snapshot.setStatus(FlinkStateSnapshotStatus.EMPTY.withState(SnapshotState.COMPLETED));
    return snapshot;
  }

  private static char initial(SnapshotState state) {
    return state == SnapshotState.TRIGGER_PENDING ? 'P' : state.name().charAt(0);
  }

  private static String deleted(List<FlinkStateSnapshot> made, HistoryLimits limits) {
    return SnapshotHistory.excess(SnapshotType.SAVEPOINT, Deployed.UID, made, limits, Deployed.NOW)
        .stream()
        .map(it -> it.snapshot().getMetadata().getUid().substring("uid-".length()))
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static List<FlinkStateSnapshot> completed(int number) {
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                MadeSnapshots.periodic(
                    SnapshotType.SAVEPOINT, i + 1, Duration.ofHours(i), SnapshotState.COMPLETED))
        .toList();
  }

  /** Its clean-up deleted snapshots that were being taken, again and again. */
  @ParameterizedTest
  @EnumSource(names = {"TRIGGER_PENDING", "IN_PROGRESS"})
  void flink40384WhatIsStillBeingTakenStays(SnapshotState state) {
    List<FlinkStateSnapshot> made = new ArrayList<>(completed(1));
    made.add(MadeSnapshots.periodic(SnapshotType.SAVEPOINT, 2, Duration.ofDays(9), state));

    assertThat(deleted(made, new HistoryLimits(0, Duration.ofMinutes(1)))).isEmpty();
  }

  @Test
  void onlyPeriodicOnesAndThoseOfOperationsThatSluiceMadeAreDeleted() {
    List<FlinkStateSnapshot> made = new ArrayList<>(completed(2));
    made.add(
        MadeSnapshots.made(
            SnapshotType.SAVEPOINT,
            TriggerType.MANUAL,
            3,
            Duration.ofDays(9),
            SnapshotState.COMPLETED));
    FlinkStateSnapshot theirs =
        MadeSnapshots.periodic(
            SnapshotType.SAVEPOINT, 4, Duration.ofDays(9), SnapshotState.COMPLETED);
    theirs.getMetadata().getLabels().remove("app.kubernetes.io/managed-by");
    made.add(theirs);

    assertThat(deleted(made, new HistoryLimits(1, Duration.ofMinutes(1)))).isEqualTo("2");
  }

  @Test
  void periodicOnesAndThoseOfOperationsCountTogether() {
    List<FlinkStateSnapshot> made = new ArrayList<>(completed(2));
    for (int i = 3; i <= 4; i++) {
      made.add(
          MadeSnapshots.made(
              SnapshotType.SAVEPOINT,
              TriggerType.UPGRADE,
              i,
              Duration.ofMinutes(30L * (i - 2)),
              SnapshotState.COMPLETED));
    }

    // 1 is of now, 3 of half an hour ago, 2 and 4 of an hour ago
    assertThat(deleted(made, new HistoryLimits(2, null))).isEqualTo("2 4");
    assertThat(deleted(made.subList(2, 4), new HistoryLimits(1, Duration.ofMinutes(1))))
        .isEqualTo("4");
  }

  @Test
  void thoseOfAnEarlierResourceOfTheSameNameStayAndAreNotCounted() {
    List<FlinkStateSnapshot> made = new ArrayList<>(completed(4));
    made.get(0).getMetadata().getLabels().put("sluice.dev/job-reference-uid", "earlier");
    made.get(3).getMetadata().getLabels().put("sluice.dev/job-reference-uid", "earlier");

    assertThat(deleted(made, new HistoryLimits(1, Duration.ofMinutes(1)))).isEqualTo("3");
  }

  @Test
  void theTypesAreCountedApart() {
    List<FlinkStateSnapshot> made = new ArrayList<>(completed(2));
    made.add(
        MadeSnapshots.periodic(SnapshotType.CHECKPOINT, 3, Duration.ZERO, SnapshotState.COMPLETED));

    assertThat(deleted(made, new HistoryLimits(2, null))).isEmpty();
  }

  @Test
  void oneThatIsBeingDeletedIsLeftAlone() {
    List<FlinkStateSnapshot> made = completed(3);
    made.get(2).getMetadata().setDeletionTimestamp(Deployed.NOW.toString());

    assertThat(deleted(made, new HistoryLimits(1, null))).isEqualTo("2");
  }
}
