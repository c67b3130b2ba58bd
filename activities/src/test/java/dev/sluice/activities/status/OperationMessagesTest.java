package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
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

    OwnedStatus after = OperationMessages.with(now, runId, "3 of 4 tasks running");

    assertThat(after.operation().message())
        .isEqualTo(written ? "3 of 4 tasks running" : "Upgrading");
  }

  @Test
  void beforeTheFirstOperationThereIsNothingToTell() {
    assertThat(OperationMessages.with(OwnedStatus.EMPTY, "run-1", "words"))
        .isEqualTo(OwnedStatus.EMPTY);
  }

  @Test
  void nothingButTheMessageChanges() {
    OwnedStatus now = OwnedStatus.EMPTY.withOperation(operation(OperationState.RUNNING));

    OwnedStatus after = OperationMessages.with(now, "run-1", "words");

    assertThat(after.operation().withMessage("Upgrading")).isEqualTo(now.operation());
  }

  private static OperationStatus operation(OperationState state) {
    return OperationStatus.EMPTY
        .withState(state)
        .withRunId("run-1")
        .withStep("AwaitRunning")
        .withMessage("Upgrading");
  }
}
