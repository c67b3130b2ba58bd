package dev.sluice.workflows.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.resource.RecordStateRequest;
import dev.sluice.workflows.world.FakeEnvironment;
import dev.sluice.workflows.world.OperationTestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeployWorkflowTest {

  private final FakeEnvironment world = new FakeEnvironment();
  private final OperationTestServer server = new OperationTestServer(world);

  @AfterEach
  void noInvariantWasBroken() {
    world.gate.open();
    server.close();
    assertThat(world.violations).isEmpty();
  }

  @Test
  void startsEmptyAndEndsStable() {
    server.signalWithStart("Deploy", 1);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DEPLOYED);
    assertThat(world.stable).isEqualTo(1);
    assertThat(world.startedFrom).isNull();
  }

  @Test
  void startsFromTheInitialSavepoint() {
    world.initialSavepoint = "s3://first";
    server.signalWithStart("Deploy", 1);

    server.outcome();

    assertThat(world.startedFrom).isEqualTo("s3://first");
  }

  @Test
  void startsFromTheInitialSavepointWhenLaterUpgradesAreStateless() {
    world.mode = "stateless";
    world.initialSavepoint = "s3://first";
    server.signalWithStart("Deploy", 1);

    server.outcome();

    assertThat(world.startedFrom).isEqualTo("s3://first");
    assertThat(world.records)
        .extracting(RecordStateRequest::message)
        .containsExactly("first deployment: the job starts from spec.job.initialSavepointPath");
  }

  @ParameterizedTest
  @ValueSource(strings = {"savepoint", "stateless"})
  void neverSpeaksOfStateThatThereIsNone(String mode) {
    world.mode = mode;
    server.signalWithStart("Deploy", 1);
    server.outcome();

    assertThat(String.join("\n", server.done()))
        .contains("the job starts with empty state")
        .doesNotContain("given up", "recorded", "restored", "old cluster");
    assertThat(world.records)
        .extracting(RecordStateRequest::message)
        .containsExactly("first deployment: the job starts with empty state");
    assertThat(world.reports)
        .first()
        .satisfies(
            report ->
                assertThat(report.message())
                    .isEqualTo(
                        "the cluster of generation 1 is created, with empty state; waiting until"
                            + " every task runs"));
  }

  @Test
  void jobThatFailsAtStartParksAndACorrectedSpecGetsItGoing() {
    world.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Deploy", 1);
    server.awaitParked();
    world.jobState = "FAILED";

    world.generation = 2;
    server.signalWithStart("Upgrade", 2);

    assertThat(server.outcome().generation()).isEqualTo(2);
    assertThat(world.stable).isEqualTo(2);
  }

  @Test
  void parkedRunSaysWhatToDoInItsCurrentDetails() {
    world.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Deploy", 1);
    server.awaitParked();

    assertThat(server.currentDetails())
        .contains("Waiting for you.", "JobFailed: main threw", "sluice.dev/retry", "take it down");
  }

  @Test
  void abortTakesDownWhatWasBegun() {
    world.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Deploy", 1);
    server.awaitParked();

    server.signal(LaneSignals.ABORT, "not today");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(world.cluster).isNull();
    assertThat(world.reports).last().extracting("state").isEqualTo("Aborted");
  }

  @Test
  void refusedManifestsParkAndRetryAppliesThemAgain() {
    world.gate.fail(
        Step.CREATE_CLUSTER, FakeEnvironment.failure(FailureType.REFUSED, "exceeded quota"));
    server.signalWithStart("Deploy", 1);
    server.awaitParked();

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DEPLOYED);
  }
}
