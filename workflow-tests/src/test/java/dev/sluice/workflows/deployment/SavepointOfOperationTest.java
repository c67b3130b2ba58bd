package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The status names each savepoint that an operation stops the job with, and no other's. */
class SavepointOfOperationTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void theSavepointOfAnUpgradeIsTold() throws Exception {
    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo("Upgraded");
    isTold("savepoint-of-6");
  }

  @Test
  void theSavepointOfASuspensionIsTold() throws Exception {
    environment.suspended.add(7L);

    server.signalWithStart("Suspend", 7);

    assertThat(server.outcome().result()).isEqualTo("Suspended");
    isTold("savepoint-of-6");
  }

  @Test
  void theSavepointOfARollbackToTheNewestStateIsTold() throws Exception {
    environment.generation = 6;
    environment.revision = 5L;
    environment.revisionLeft = null;

    server.rollBack(6);

    assertThat(server.outcome().result()).isEqualTo("RolledBack");
    isTold("savepoint-of-6");
  }

  @Test
  void theSavepointOfADeletionIsTold() throws Exception {
    environment.deletionSavepointMs = 600_000;

    server.delete();

    assertThat(server.outcome().result()).isEqualTo("Deleted");
    isTold("savepoint-of-6");
  }

  @Test
  void whatSomebodyElseStoppedTheJobWithIsNotOurs() throws Exception {
    environment.jobState = FlinkJobState.FINISHED;
    environment.newest = new StateRef.Savepoint("theirs");

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo("Upgraded");
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("theirs"));
    assertThat(environment.taken).isEmpty();
  }

  private void isTold(String savepoint) {
    assertThat(environment.taken).isEqualTo(List.of(savepoint));
  }
}
