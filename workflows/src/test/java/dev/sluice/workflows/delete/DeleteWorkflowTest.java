package dev.sluice.workflows.delete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.world.FakeEnvironment;
import dev.sluice.workflows.world.OperationTestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeleteWorkflowTest {

  private final FakeEnvironment world = FakeEnvironment.running(6, 6);
  private final OperationTestServer server = new OperationTestServer(world);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void cancelsTheJobDeletesTheClusterAndSaysSo() {
    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(world.calls).containsExactly("Observe", "CancelJob", "DeleteCluster", "Report");
    assertThat(world.reports).last().extracting("state").isEqualTo("Succeeded");
  }

  @Test
  void doesNotCancelAJobThatCannotBeReached() {
    world.reachable = false;
    server.delete();

    server.outcome();

    assertThat(world.calls).doesNotContain("CancelJob").contains("DeleteCluster");
  }

  @Test
  void goesOnWhenTheJobCannotBeCancelled() {
    world.gate.fail(
        Step.CANCEL_JOB, FakeEnvironment.failure(FailureType.TIMED_OUT, "sink does not close"));
    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(world.cluster).isNull();
  }

  @Test
  void endsEvenIfPodsNeverGoAway() {
    for (int i = 0; i < 3; i++) {
      world.gate.fail(
          Step.DELETE_CLUSTER,
          FakeEnvironment.failure(FailureType.CLUSTER_NOT_GONE, "pod orders-1 stays"));
    }
    server.delete();

    OperationResult outcome = server.outcome();

    assertThat(outcome.message()).contains("given up", "pod orders-1 stays");
    assertThat(world.reports)
        .last()
        .satisfies(report -> assertThat(report.event()).isEqualTo("ClusterNotGone"));
  }

  @Test
  void endsWhenTheResourceIsGoneAlready() {
    world.exists = false;
    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
  }

  @Test
  void aSignalDoesNotDeleteWhatKubernetesKeeps() {
    server.signalWithStart("Delete", 6);

    server.outcome();

    assertThat(world.calls).doesNotContain("CancelJob", "DeleteCluster");
    assertThat(world.cluster).isEqualTo(6);
  }
}
