package dev.sluice.activities.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OperationChangeTest {

  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00.123Z");
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");

  @Test
  void theFirstReportBeginsTheStep() {
    OperationStatus operation = OperationChange.of(null, Reports.of("Running", "Observe"), EIGHT);

    assertThat(operation.type()).isEqualTo(OperationType.UPGRADE);
    assertThat(operation.state()).isEqualTo(OperationState.RUNNING);
    assertThat(operation.attempt()).isEqualTo(1);
    assertThat(operation.since()).isEqualTo("2026-11-21T08:00:00Z");
  }

  @Test
  void theSameReportAgainChangesNothing() {
    OperationStatus once = OperationChange.of(null, Reports.of("Parked", "CreateCluster"), EIGHT);

    assertThat(OperationChange.of(once, Reports.of("Parked", "CreateCluster"), NINE))
        .isEqualTo(once);
  }

  @Test
  void anotherStepStartsAnew() {
    OperationStatus before = OperationChange.of(null, Reports.of("Parked", "CreateCluster"), EIGHT);

    OperationStatus after = OperationChange.of(before, Reports.of("Running", "Observe"), NINE);

    assertThat(after.since()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(after.attempt()).isEqualTo(1);
  }

  @Test
  void aParkedStepThatIsTriedAgainIsItsNextAttempt() {
    OperationStatus parked = OperationChange.of(null, Reports.of("Parked", "CreateCluster"), EIGHT);

    OperationStatus again =
        OperationChange.of(parked, Reports.of("Running", "CreateCluster"), NINE);

    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.since()).isEqualTo("2026-11-21T09:00:00Z");
  }

  @Test
  void parkingKeepsWhenTheStepBegan() {
    OperationStatus running = OperationChange.of(null, Reports.of("Running", "Observe"), EIGHT);

    OperationStatus parked = OperationChange.of(running, Reports.of("Parked", "Observe"), NINE);

    assertThat(parked.since()).isEqualTo("2026-11-21T08:00:00Z");
    assertThat(parked.attempt()).isEqualTo(1);
  }

  @Test
  void anotherRunAtTheSameStepStartsAnew() {
    OperationStatus before = OperationChange.of(null, Reports.of("Running", "Observe"), EIGHT);

    OperationStatus after =
        OperationChange.of(
            before, Reports.of(Refs.ORDERS, "run-2", "Running", "Observe", null), NINE);

    assertThat(after.since()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(after.runId()).isEqualTo("run-2");
  }

  @Test
  void aStepInFlightSaysWhenItIsGivenUpAndAParkedOneDoesNot() {
    OperationStatus running =
        OperationChange.of(
            null, Reports.of("Running", "AwaitRunning").withDeadline(NINE.toEpochMilli()), EIGHT);
    OperationStatus parked =
        OperationChange.of(running, Reports.of("Parked", "AwaitRunning"), NINE);

    assertThat(running.deadline()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(parked.deadline()).isNull();
  }

  @Test
  void aSavepointThatIsNotNamedStays() {
    OperationStatus before =
        OperationChange.of(null, Reports.of("Running", "Observe"), EIGHT).withSavepoint("file:/s");

    assertThat(OperationChange.of(before, Reports.of("Running", "MarkStable"), NINE).savepoint())
        .isEqualTo("file:/s");
  }
}
