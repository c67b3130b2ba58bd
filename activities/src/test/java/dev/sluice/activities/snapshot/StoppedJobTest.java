package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoppedJobTest {

  private final FakeFlink flink = new FakeFlink().running();
  private @Nullable OperationStatus operation;
  private @Nullable String madeFor = FakeFlink.JOB;
  private boolean exists = true;

  private StoppedJob job() {
    return new StoppedJob(
        Jobs.JOB, "FlinkDeployment default/orders", this::owner, flink, Runnable::run);
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
    assertThat(job().how().join()).isEmpty();
  }

  /** A savepoint that the job cannot bear must not be tried for ever. */
  @ParameterizedTest
  @CsvSource({"RESTARTING", "FAILING"})
  void aJobThatFlinkRestartsIsNotStopped(FlinkJobState state) {
    flink.job(state, 0);

    assertThat(job().how().join()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"FINISHED", "CANCELED", "FAILED"})
  void aJobThatHasEndedIsStopped(FlinkJobState state) {
    flink.job(state, 0);

    assertThat(job().how().join().orElseThrow()).contains(state.name());
  }

  @Test
  void anOperationAtWorkStopsItWhateverFlinkAnswers() {
    operation =
        OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(OperationState.RUNNING);
    flink.up(false);

    assertThat(job().how().join()).contains("Upgrade is at work on FlinkDeployment default/orders");
  }

  @Test
  void anotherJobInItsPlaceSaysSo() {
    madeFor = "0123456789abcdef0123456789abcdef";

    assertThat(job().how().join().orElseThrow()).contains("was replaced by job 0123");
  }

  @Test
  void aResourceThatIsGoneRunsNoJob() {
    exists = false;

    assertThat(job().how().join().orElseThrow()).contains("does not exist any more");
  }

  @Test
  void noAnswerIsNone() {
    flink.up(false);

    assertThat(job().how()).failsWithin(Duration.ofSeconds(1));
  }
}
