package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationMessagesTest {

  @ParameterizedTest
  @CsvSource({
    "RUNNING,   run-1, true",
    "BLOCKED,   run-1, true",
    "PARKED,    run-1, false", // it says what a person is to do
    "SUCCEEDED, run-1, false",
    "ABORTED,   run-1, false",
    "FAILED,    run-1, false",
    "RUNNING,   run-0, false", // the run before it, or after it
  })
  void onlyTheRunThatIsAtWorkTellsWhatItWaitsFor(
      OperationState state, String runId, boolean written) {
    OwnedStatus now = OwnedStatus.EMPTY.withOperation(operation(state));

    OwnedStatus after = OperationMessages.with(now, waiting(runId), "3 of 4 tasks running");

    assertThat(after.operation())
        .isEqualTo(written ? now.operation().withMessage("3 of 4 tasks running") : now.operation());
  }

  @Test
  void aWaitOfAStepThatWasNotToldNamesItAndWhenItBegan() {
    OwnedStatus now = OwnedStatus.EMPTY.withOperation(operation(OperationState.RUNNING));
    Waiting deletes = new Waiting("run-1", "DeleteCluster", Instant.parse("2026-11-26T02:23:30Z"));

    OperationStatus after = OperationMessages.with(now, deletes, "2 pods left").operation();

    assertThat(after.step()).isEqualTo("DeleteCluster");
    assertThat(after.since()).isEqualTo("2026-11-26T02:23:30Z");
    assertThat(after.message()).isEqualTo("2 pods left");
    Waiting looks = new Waiting("run-1", "ObserveApplication", Instant.EPOCH);
    assertThat(OperationMessages.with(now, looks, "its jobs settle").operation().step())
        .as("no documented step")
        .isEqualTo("AwaitRunning");
  }

  private static OperationStatus operation(OperationState state) {
    return OperationStatus.EMPTY
        .withState(state)
        .withRunId("run-1")
        .withStep("AwaitRunning")
        .withMessage("Upgrading");
  }

  private static Waiting waiting(String runId) {
    return new Waiting(runId, "AwaitRunning", Instant.EPOCH);
  }
}
