package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An upgrade of a session cluster that waits until FlinkSessionJobs have suspended their jobs. */
@Execution(ExecutionMode.CONCURRENT)
class SuspendSessionJobsTest {

  private static final HeldDeletion HELD = new HeldDeletion(Reasons.OTHER_JOBS, "waits for totals");

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @BeforeEach
  void aJobRuns() {
    environment.session = true;
    environment.otherJobs.add("managed");
    environment.sessionJobs.add("managed");
  }

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void awaitHeldAt(String reason) {
    await().until(() -> held(reason));
  }

  private boolean held(String reason) {
    OperationProgress.Held held = server.progress().held();
    return held != null && held.reason().equals(reason);
  }

  /** A job without checkpoints would come back empty from its high-availability metadata. */
  @Test
  void jobsAreSuspendedFirstAlsoWithHighAvailability() throws Exception {
    environment.highAvailability = HighAvailability.NO_METADATA;
    environment.options = new StateOptions(true, true, true, null, false, null);
    environment.gate.hold(Step.SUSPEND_SESSION_JOBS);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    assertThat(environment.cluster).isEqualTo(6);

    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.deleted.jobs()).isEqualTo(JobsOnCluster.NONE);
  }

  @Test
  void aJobOfNoFlinkSessionJobComesBackByItself() {
    environment.highAvailability = HighAvailability.NO_METADATA;
    environment.options = new StateOptions(true, true, true, null, false, null);
    environment.otherJobs.add("unmanaged");

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls).doesNotContain("SuspendSessionJobs");
    assertThat(environment.deleted.jobs()).isEqualTo(JobsOnCluster.COME_BACK);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAbortIsAnsweredAtOnceAlsoByARunThatTakesOver(boolean takesOver) throws Exception {
    if (takesOver) {
      environment.frozen = 7L;
      environment.phase = Phase.UPGRADING;
    }
    environment.gate.hold(Step.SUSPEND_SESSION_JOBS);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "enough");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(environment.cluster).isEqualTo(6);
    assertThat(environment.calls).doesNotContain("DeleteCluster");
  }

  @Test
  void aRetryGivesTheJobsUpWhereThatIsChosen() throws Exception {
    environment.leaving = HELD;
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.gate.hold(Step.SUSPEND_SESSION_JOBS);
    environment.gate.awaitReached();
    environment.restoreFrom = "empty";

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.deleted.jobs()).isEqualTo(JobsOnCluster.END);
  }

  @Test
  void aRetryAloneGivesNoJobUp() throws Exception {
    environment.leaving = HELD;
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.gate.hold(Step.SUSPEND_SESSION_JOBS);
    environment.gate.awaitReached();
    environment.leaving = HeldDeletion.NOTHING;

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.deleted.jobs()).isEqualTo(JobsOnCluster.NONE);
  }

  @Test
  void aRunThatIsParkedForAnUnmanagedJobGoesOnWhenThatIsGone() {
    environment.otherJobs.add("unmanaged");
    server.signalWithStart("Upgrade", 7);
    awaitHeldAt(Reasons.OTHER_JOBS);
    assertThat(environment.calls).doesNotContain("SuspendSessionJobs");

    environment.otherJobs.remove("unmanaged");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls).contains("SuspendSessionJobs");
    // by itself, and not because its history had become long
    assertThat(environment.reports)
        .extracting(it -> it.state() + " " + it.step())
        .contains("Running Observe");
  }

  /** The FlinkSessionJobs go by the step in the status. */
  @Test
  void theStatusNamesTheStepAlsoWhereTheSpecWasFrozenBefore() {
    environment.otherJobs.add("unmanaged");
    environment.revision = 5L;
    server.rollBack(7);
    awaitHeldAt(Reasons.OTHER_JOBS);

    environment.otherJobs.remove("unmanaged");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.reports)
        .extracting(it -> it.state() + " " + it.step())
        .contains("Running SuspendSessionJobs");
  }
}
