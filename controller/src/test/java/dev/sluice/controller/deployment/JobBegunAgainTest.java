package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.support.MovableClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A JobManager that was restarted between operations, and what users are told of its job. */
class JobBegunAgainTest {

  private static final String REASON = "JobBegunAgain";

  private final DeploymentProjection projection =
      new DeploymentProjection(new MovableClock(Deployed.NOW));
  private final Deployed resource = Deployed.running();

  @Test
  void withoutHighAvailabilityAWarningSaysWhatToDo() {
    settled();

    List<StatusEvent> events = settledAgain(resource.begunAgain());

    assertThat(events)
        .filteredOn(event -> event.reason().equals(REASON))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.warning()).isTrue();
              assertThat(event.message()).contains("high-availability.type: kubernetes");
            });
  }

  @Test
  void itIsToldDuringAnOperationToo() {
    settled();
    resource
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(OperationType.UPGRADE, OperationState.BLOCKED, 6L, 7);

    assertThat(settledAgain(resource.begunAgain()))
        .extracting(StatusEvent::reason)
        .contains(REASON);
  }

  @Test
  void itIsToldOnce() {
    settled();
    List<StatusEvent> unused = settledAgain(resource.begunAgain());

    assertThat(settledAgain(resource)).extracting(StatusEvent::reason).doesNotContain(REASON);
  }

  @Test
  void aJobThatHighAvailabilityRecoveredHasNotBegunAgain() {
    resource
        .configured("high-availability.type", "kubernetes")
        .configured("high-availability.storageDir", "file:///ha")
        .frozen(6)
        .stable(6);
    settled();

    assertThat(settledAgain(resource.begunAgain()))
        .extracting(StatusEvent::reason)
        .doesNotContain(REASON);
  }

  private void settled() {
    List<StatusEvent> unused = settledAgain(resource);
  }

  /** Writes the status that is due, and gives the events of the change. */
  private List<StatusEvent> settledAgain(Deployed now) {
    SeenDeployment snapshot = now.snapshot();
    FlinkDeploymentStatus after = projection.project(snapshot, JobPlanner.decide(snapshot));
    List<StatusEvent> events = DeploymentEvents.of(snapshot, after);
    now.status(
        after
            .withOperation(snapshot.status().operation())
            .withReconciliationStatus(snapshot.status().reconciliationStatus()));
    return events;
  }
}
