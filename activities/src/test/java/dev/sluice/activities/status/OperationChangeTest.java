package dev.sluice.activities.status;

import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OperationChangeTest {

  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00.123Z");
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");

  @Test
  void theSameReportAgainChangesNothing() {
    OperationStatus once = OperationChange.of(null, Reports.of(PARKED, "CreateCluster"), EIGHT);

    assertThat(OperationChange.of(once, Reports.of(PARKED, "CreateCluster"), NINE)).isEqualTo(once);
  }

  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"PARKED", "BLOCKED"})
  void aHeldStepThatIsBegunAgainIsItsNextAttempt(OperationState held) {
    OperationStatus before = OperationChange.of(null, Reports.of(held, "CreateCluster"), EIGHT);

    OperationStatus again = OperationChange.of(before, Reports.of(RUNNING, "CreateCluster"), NINE);

    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.since()).isEqualTo("2026-11-21T09:00:00Z");
    OperationStatus other = OperationChange.of(before, Reports.of(RUNNING, "Observe"), NINE);
    assertThat(other.since()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(other.attempt()).isEqualTo(1);
  }

  @Test
  void parkingKeepsWhenTheStepBegan() {
    OperationStatus running =
        OperationChange.of(null, Reports.of(RUNNING, "Observe"), EIGHT).withSavepoint("file:/s");

    OperationStatus parked = OperationChange.of(running, Reports.of(BLOCKED, "Observe"), NINE);

    assertThat(parked.savepoint()).isEqualTo("file:/s");
    assertThat(parked.since()).isEqualTo("2026-11-21T08:00:00Z");
    assertThat(parked.attempt()).isEqualTo(1);
  }

  @Test
  void anotherRunAtTheSameStepStartsAnew() {
    OperationStatus before =
        OperationChange.of(null, Reports.of(RUNNING, "Observe"), EIGHT).withSavepoint("file:/s");
    RunRef next = new RunRef("Upgrade", "lane", "run-2");

    OperationStatus after =
        OperationChange.of(before, Reports.of(Refs.RESOURCE, next, RUNNING, "Observe", 2), NINE);

    assertThat(after.since()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(after.runId()).isEqualTo("run-2");
    assertThat(after.savepoint()).isNull();
  }

  /** Its event would tell the plan of the upgrade as that of the rollback. */
  @Test
  void aRunThatGoesOverToARollbackLeavesThePlanOfTheUpgrade() {
    OperationStatus upgrade = OperationChange.of(null, Reports.of(RUNNING, "Observe"), EIGHT);
    OperationStatus planned = OperationChange.planned(upgrade, "Upgrading", EIGHT);
    RunRef rollback = new RunRef("Rollback", upgrade.workflowId(), upgrade.runId());

    OperationStatus after =
        OperationChange.of(
            planned, Reports.of(Refs.RESOURCE, rollback, RUNNING, "Observe", 2), NINE);

    assertThat(after.plan()).isNull();
    assertThat(after.plannedAt()).isNull();
  }

  /** Otherwise the spec that is rolled back would be deployed again by itself. */
  @Test
  void anotherRunThatCarriesARollbackOnKeepsWhatIsGivenUp() {
    RunRef lost = new RunRef("Rollback", "lane", "run-1");
    OperationStatus before =
        OperationChange.of(
                null, Reports.of(Refs.RESOURCE, lost, RUNNING, "DeleteCluster", 5), EIGHT)
            .withFromGeneration(6L);
    RunRef next = new RunRef("Rollback", "lane", "run-2");

    OperationStatus after =
        OperationChange.of(
            before, Reports.of(Refs.RESOURCE, next, RUNNING, "AwaitRunning", 5), NINE);

    assertThat(after.fromGeneration()).isEqualTo(6);
  }

  @Test
  void aStepInFlightSaysWhenItIsGivenUpAndAParkedOneDoesNot() {
    OperationStatus running =
        OperationChange.of(
            null, Reports.of(RUNNING, "AwaitRunning").withDeadlineMs(NINE.toEpochMilli()), EIGHT);
    OperationStatus parked = OperationChange.of(running, Reports.of(PARKED, "AwaitRunning"), NINE);

    assertThat(running.deadline()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(parked.deadline()).isNull();
  }
}
