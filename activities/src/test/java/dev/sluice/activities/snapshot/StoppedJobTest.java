package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoppedJobTest {

  private static final String FAILURE = "IOException: disk is full";

  private static final StoppedJob.Stop UPGRADE =
      new StoppedJob.Stop("Upgrade is at work on FlinkDeployment default/orders", false);

  private final FakeFlink flink = new FakeFlink().running();
  private @Nullable OperationStatus operation;
  private @Nullable String madeFor = FakeFlink.JOB;
  private boolean exists = true;

  private StoppedJob job() {
    return new StoppedJob("FlinkDeployment default/orders", FakeFlink.JOB, this::owner, flink);
  }

  private Optional<JobOwner> owner() {
    FlinkDeployment resource = Deployed.orders("default");
    resource.setStatus(FlinkDeploymentStatus.EMPTY.withOperation(operation));
    return exists
        ? Optional.of(
            new JobOwner("FlinkDeployment", Stored.of(resource), Jobs.cluster(madeFor, Map.of())))
        : Optional.empty();
  }

  @Test
  void aJobThatRunsOnIsNotStopped() {
    assertThat(job().after(FAILURE)).isEmpty();
  }

  /** A savepoint that the job cannot bear must not be tried for ever. */
  @ParameterizedTest
  @CsvSource({"RESTARTING", "FAILING"})
  void aJobThatFlinkRestartsIsNotStopped(FlinkJobState state) {
    flink.job(state, 0);

    assertThat(job().after(FAILURE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"FINISHED,false", "CANCELED,false", "FAILED,true"})
  void aJobThatHasEndedIsStoppedAndOneThatFailedMayNotHaveBorneIt(
      FlinkJobState state, boolean failed) {
    flink.job(state, 0);

    assertThat(stop().how()).contains(state.name());
    assertThat(stop().failed()).isEqualTo(failed);
  }

  private StoppedJob.Stop stop() {
    return job().after(FAILURE).orElseThrow();
  }

  /** Else a savepoint that kills its job takes it down again after each recovery. */
  @ParameterizedTest
  @CsvSource({"RECOVER,RUNNING,true", "RECOVER,SUCCEEDED,true", "UPGRADE,SUCCEEDED,false"})
  void aJobThatIsBroughtBackHasFailed(OperationType type, OperationState state, boolean failed) {
    operation = OperationStatus.EMPTY.withType(type).withState(state);
    madeFor = "0123456789abcdef0123456789abcdef";

    assertThat(stop().failed()).isEqualTo(failed);
  }

  /** It waits for the savepoint: that failed by itself, and must not be taken after the change. */
  @Test
  void anOperationThatLetsTheJobRunOnHasNotStoppedIt() {
    upgrade();

    assertThat(job().after(FAILURE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"RUNNING,7", "FINISHED,0", "CANCELLING,8"})
  void anOperationAtWorkHasStoppedAJobThatIsNotUp(FlinkJobState state, int running) {
    upgrade();
    flink.job(state, running);

    assertThat(stop()).isEqualTo(UPGRADE);
  }

  @Test
  void anOperationAtWorkHasStoppedAJobThatIsNotThereOrWhoseJobManagerIsSilent() {
    upgrade();
    flink.noJob();
    assertThat(stop()).isEqualTo(UPGRADE);

    flink.up(false);
    assertThat(stop()).isEqualTo(UPGRADE);
  }

  /** A job is up until the savepoint is complete that it is stopped with. */
  @ParameterizedTest
  @ValueSource(
      strings = {"Checkpoint Coordinator is suspending.", "CheckpointCoordinator shutdown."})
  void whatFlinkAbortsToStopTheJobWasInterrupted(String why) {
    upgrade();

    assertThat(job().after("CheckpointException: " + why)).contains(UPGRADE);
  }

  /** The next savepoint in the queue would be in its way. */
  @Test
  void anOperationAtWorkIsAboutToStopAJobWhoseSavepointWasNotTriggered() {
    upgrade();

    assertThat(job().beforeTrigger()).contains(UPGRADE);
  }

  private void upgrade() {
    operation =
        OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(OperationState.RUNNING);
  }

  @Test
  void anotherJobInItsPlaceSaysSo() {
    madeFor = "0123456789abcdef0123456789abcdef";

    assertThat(stop().how()).contains("was replaced by job 0123");
  }

  @Test
  void aResourceThatIsGoneRunsNoJob() {
    exists = false;

    assertThat(stop().how()).contains("does not exist any more");
  }

  @Test
  void noAnswerIsNone() {
    flink.up(false);

    assertThatThrownBy(() -> job().after(FAILURE)).isInstanceOf(FlinkRestException.class);
    assertThat(job().whileSilent()).isEmpty();
  }
}
