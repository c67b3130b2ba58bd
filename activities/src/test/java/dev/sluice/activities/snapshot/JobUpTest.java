package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.workflows.snapshot.FoundJob;
import dev.sluice.workflows.snapshot.SnapshotActivities.AwaitJobRequest;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobUpTest {

  private static final String OF = "FlinkDeployment default/orders";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();
  private FlinkDeploymentSpec spec = Deployed.SPEC;
  private ReconciliationState reconciliation = ReconciliationState.DEPLOYED;
  private @Nullable OperationStatus operation;
  private @Nullable String ownerUid;
  private @Nullable String deletedAt;
  private boolean deployed = true;
  private Supplier<Optional<JobOwner>> owners = () -> Optional.of(owner());

  private JobOwner owner() {
    FlinkDeployment resource = Deployed.orders("default");
    resource.getMetadata().setDeletionTimestamp(deletedAt);
    if (!deployed) {
      return new JobOwner("FlinkDeployment", Stored.of(resource), Jobs.cluster(Map.of()));
    }
    String frozen = new FrozenSpec(spec, 1, false).toJson();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(new ReconciliationStatus(1L, frozen, frozen, reconciliation))
            .withOperation(operation));
    return new JobOwner("FlinkDeployment", Stored.of(resource), Jobs.cluster(Map.of()));
  }

  private JobUp wait(@Nullable String pinned, boolean checkpoint) {
    return wait(pinned, checkpoint ? new CheckpointSpec() : null);
  }

  private JobUp wait(@Nullable String pinned, @Nullable CheckpointSpec checkpoint) {
    return new JobUp(
        new AwaitJobRequest(Jobs.RESOURCE, pinned, clock.in(Duration.ofMinutes(10))),
        checkpoint,
        OF,
        ownerUid,
        () -> owners.get(),
        endpoint -> Answers.await(flink.jobsOverview(endpoint)),
        flink,
        clock);
  }

  private static FoundJob found(ProbeResult<FoundJob> seen) {
    assertThat(seen).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<FoundJob>) seen).result();
  }

  private void notYetThenNone(JobUp wait) {
    assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(JobUp.NONE_FOR.plusSeconds(1));
    assertThat(found(wait.look())).isInstanceOf(FoundJob.None.class);
  }

  /** Whoever asked for the state of the one before would believe to have it. */
  @Test
  void oneThatWasMadeForAnEarlierResourceOfTheNameIsNotTakenOfTheNext() {
    ownerUid = "earlier";
    notYetThenNone(wait(null, false));
  }

  @Test
  void aJobWhoseTasksAreAllUpIsFoundWithItsTimeout() {
    assertThat(found(wait(null, false).look()))
        .isEqualTo(new FoundJob.Up(FakeFlink.JOB, Duration.ofMinutes(7).toMillis()));
  }

  @Test
  void aJobThatRestartsIsWaitedFor() {
    flink.job(FlinkJobState.RUNNING, 3);
    JobUp wait = wait(null, false);

    assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
    flink.running();

    assertThat(found(wait.look())).isInstanceOf(FoundJob.Up.class);
  }

  @Test
  void anUpgradeIsWaitedForAlsoWhileItsJobHasEnded() {
    reconciliation = ReconciliationState.UPGRADING;
    flink.job(FlinkJobState.FINISHED, 0);
    JobUp wait = wait(null, false);

    for (int i = 0; i < 5; i++) {
      assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
      clock.advance(Duration.ofMinutes(1));
    }
  }

  @Test
  void anOperationThatIsOpenIsWaitedFor() {
    operation =
        OperationStatus.EMPTY.withType(OperationType.RECOVER).withState(OperationState.BLOCKED);

    assertThat(wait(null, false).look().toString()).contains("Recover is at work on");
  }

  @Test
  void anOperationThatIsOpenUntilTheDeadlineIsNoFailureOfTheJob() {
    operation =
        OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(OperationState.PARKED);
    JobUp wait = wait(null, false);
    clock.advance(Duration.ofMinutes(11));

    assertThat(found(wait.look()))
        .isEqualTo(
            new FoundJob.Held(
                "Blocked",
                "Upgrade is at work on FlinkDeployment default/orders. Waiting for its end"));
  }

  /** W3: ABANDONED after one transient REST failure. */
  @Test
  void w3NoAnswerForLongIsNoLossOfTheJob() {
    JobUp wait = wait(null, false);
    flink.up(false);

    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(wait::look).isInstanceOf(FlinkRestException.Unreachable.class);
      clock.advance(Duration.ofMinutes(1));
    }
    flink.up(true);

    assertThat(found(wait.look())).isInstanceOf(FoundJob.Up.class);
  }

  /** W4: what nobody answers for is counted as failed, and taken a second time. */
  @Test
  void w4NoAnswerUntilTheDeadlineIsNoFailureOfTheJob() {
    JobUp wait = wait(null, false);
    flink.up(false);
    clock.advance(Duration.ofMinutes(11));

    assertThat(found(wait.look()))
        .isEqualTo(
            new FoundJob.Held(
                "JobManagerSilent",
                "The JobManager of FlinkDeployment default/orders does not answer. Waiting for it."
                    + " Last seen: nothing yet"));
  }

  @Test
  void aJobThatRestartsUntilTheDeadlineIsNotUp() {
    JobUp wait = wait(null, false);
    flink.job(FlinkJobState.RUNNING, 3);
    clock.advance(Duration.ofMinutes(11));

    assertThat(found(wait.look())).isInstanceOf(FoundJob.NotUp.class);
  }

  @Test
  void whatKeptTheJobFromItsTenMinutesIsNotCounted() {
    JobUp wait = wait(null, false);
    flink.up(false);
    clock.advance(Duration.ofSeconds(590));
    assertThatThrownBy(wait::look).isInstanceOf(RuntimeException.class);
    flink.up(true);
    flink.job(FlinkJobState.RUNNING, 3);
    clock.advance(Duration.ofSeconds(12));

    assertThat(((FoundJob.Held) found(wait.look())).why())
        .startsWith("Waiting for the job of FlinkDeployment default/orders: the job is ")
        .endsWith("; 12 s ago, the JobManager did not answer");
  }

  @Test
  void anOperationThatHasJustEndedIsNoFailureOfTheJob() {
    operation =
        OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(OperationState.RUNNING);
    JobUp wait = wait(null, false);
    clock.advance(Duration.ofSeconds(590));
    assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
    operation = null;
    flink.job(FlinkJobState.RUNNING, 3);
    clock.advance(Duration.ofSeconds(12));

    assertThat(((FoundJob.Held) found(wait.look())).why())
        .endsWith("; 12 s ago, Upgrade is at work on FlinkDeployment default/orders");
  }

  @ParameterizedTest
  @CsvSource({"RECOVER,true", "UPGRADE,false"})
  void aJobThatWasBroughtBackHadFailed(OperationType type, boolean failed) {
    operation = OperationStatus.EMPTY.withType(type).withState(OperationState.SUCCEEDED);
    FoundJob found = found(wait("0123456789abcdef0123456789abcdef", false).look());

    assertThat(((FoundJob.Replaced) found).failed()).isEqualTo(failed);
  }

  @Test
  void kubernetesBeingAwayIsNoAnswerAtAll() {
    owners =
        () -> {
          throw new KubernetesClientException("away");
        };
    JobUp wait = wait(null, false);
    clock.advance(Duration.ofMinutes(11));

    assertThatThrownBy(wait::look).isInstanceOf(RuntimeException.class);
  }

  @Test
  void aJobThatHasEndedIsNoneAfterAWhile() {
    flink.job(FlinkJobState.FAILED, 0);

    notYetThenNone(wait(null, false));
  }

  @Test
  void aResourceThatDoesNotExistIsNoneAfterAWhile() {
    owners = Optional::empty;

    notYetThenNone(wait(null, false));
  }

  @Test
  void aSuspendedResourceIsNoneAfterAWhile() {
    spec = spec.withJob(spec.job().withState(DesiredJobState.SUSPENDED));

    notYetThenNone(wait(null, false));
  }

  @Test
  void aSessionClusterHasNoJobThatCouldBeTaken() {
    spec = spec.withJob(null);

    notYetThenNone(wait(null, false));
  }

  /** Its deletion may take a savepoint for 11 min, and no job comes after it. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aResourceThatIsBeingDeletedIsNoneAfterAWhileWhateverIsAtWork(boolean atWork) {
    deletedAt = "2026-11-21T08:00:00Z";
    operation =
        OperationStatus.EMPTY
            .withType(OperationType.DELETE)
            .withState(atWork ? OperationState.RUNNING : OperationState.FAILED);

    notYetThenNone(wait(null, false));
  }

  /** Its spec may be invalid for days: no attempt has failed by that. */
  @Test
  void aResourceThatWasNeverDeployedIsWaitedForAndCountsAsNoAttempt() {
    deployed = false;
    JobUp wait = wait(null, false);
    clock.advance(Duration.ofMinutes(11));

    assertThat(found(wait.look()))
        .isEqualTo(
            new FoundJob.Held(
                "Blocked",
                "FlinkDeployment default/orders was never deployed. Waiting for its first"
                    + " deployment"));
  }

  @Test
  void aResourceThatComesLateIsFound() {
    owners = Optional::empty;
    JobUp wait = wait(null, false);
    wait.look();
    clock.advance(Duration.ofSeconds(20));
    owners = () -> Optional.of(owner());

    assertThat(found(wait.look())).isInstanceOf(FoundJob.Up.class);
  }

  /** Two absences of a moment, minutes apart, are no absence of 30 s. */
  @Test
  void anAbsenceBeginsAnewAfterTheResourceWasThere() {
    owners = Optional::empty;
    JobUp wait = wait(null, false);
    wait.look();
    owners = () -> Optional.of(owner());
    flink.job(FlinkJobState.RUNNING, 3);
    clock.advance(Duration.ofMinutes(2));
    wait.look();
    owners = Optional::empty;

    notYetThenNone(wait);
  }

  @Test
  void anAbsenceBeginsAnewAfterAnOperationWasAtWork() {
    owners = Optional::empty;
    JobUp wait = wait(null, false);
    wait.look();
    owners = () -> Optional.of(owner());
    operation =
        OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(OperationState.RUNNING);
    clock.advance(Duration.ofMinutes(2));
    wait.look();
    owners = Optional::empty;

    notYetThenNone(wait);
  }

  @Test
  void anotherJobInThePlaceOfTheOneThatItWasTriggeredOnIsTold() {
    FoundJob found = found(wait("0123456789abcdef0123456789abcdef", false).look());

    assertThat(found).isInstanceOf(FoundJob.Replaced.class);
    assertThat(((FoundJob.Replaced) found).why()).contains("was replaced by job " + FakeFlink.JOB);
  }

  @Test
  void checkpointsByRequestNeedFlink117() {
    spec = spec.withFlinkVersion(FlinkVersion.V1_16);

    assertThat(found(wait(null, true).look())).isInstanceOf(FoundJob.Unfit.class);
    assertThat(found(wait(null, false).look())).isInstanceOf(FoundJob.Up.class);
  }

  /** FLINK-33723: Flink would answer each trigger with an error. */
  @ParameterizedTest
  @CsvSource({
    "V1_18,INCREMENTAL,true",
    "V1_19,INCREMENTAL,false",
    "V2_0,INCREMENTAL,false",
    "V2_0,CONFIGURED,true",
    "V1_16,CONFIGURED,false"
  })
  void aCheckpointTypeThatFlinkDoesNotHaveIsRefusedBeforeItIsTriggered(
      FlinkVersion version, CheckpointType type, boolean taken) {
    spec = spec.withFlinkVersion(version);

    assertThat(found(wait(null, new CheckpointSpec(type)).look()))
        .isInstanceOf(taken ? FoundJob.Up.class : FoundJob.Unfit.class);
    assertThat(flink.effects).isEmpty();
  }
}
