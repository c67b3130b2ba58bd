package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.Stored;
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
import dev.sluice.workflows.snapshot.SnapshotActivities.FoundJob;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AwaitJobTest {

  private static final String OF = "FlinkDeployment default/orders";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();
  private FlinkDeploymentSpec spec = Deployed.SPEC;
  private ReconciliationState reconciliation = ReconciliationState.DEPLOYED;
  private @Nullable OperationStatus operation;
  private @Nullable String deletedAt;
  private boolean deployed = true;
  private Supplier<Optional<SnapshotJob>> owners = () -> Optional.of(owner());

  private SnapshotJob owner() {
    FlinkDeployment resource = Deployed.orders("default");
    resource.getMetadata().setDeletionTimestamp(deletedAt);
    if (!deployed) {
      return new SnapshotJob("FlinkDeployment", Stored.of(resource), Jobs.cluster(Map.of()));
    }
    String frozen = new FrozenSpec(spec, 1, false).toJson();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(new ReconciliationStatus(1L, frozen, frozen, reconciliation))
            .withOperation(operation));
    return new SnapshotJob("FlinkDeployment", Stored.of(resource), Jobs.cluster(Map.of()));
  }

  private AwaitJob await() {
    return await(null);
  }

  private AwaitJob await(@Nullable CheckpointType checkpoint) {
    return new AwaitJob(OF, checkpoint, () -> owners.get(), flink, clock);
  }

  private static FoundJob found(ProbeResult<FoundJob> seen) {
    assertThat(seen).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<FoundJob>) seen).result();
  }

  private void notYetThenNone(AwaitJob wait) {
    assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(AwaitJob.NONE_FOR.plusSeconds(1));
    assertThat(found(wait.look())).isInstanceOf(FoundJob.None.class);
  }

  @Test
  void aJobWhoseTasksAreAllUpIsFoundWithItsTimeout() {
    assertThat(found(await().look()))
        .isEqualTo(new FoundJob.Up(FakeFlink.JOB, Duration.ofMinutes(7).toMillis()));
  }

  /** FLINK-33723: Flink would answer each trigger with an error. */
  @ParameterizedTest
  @CsvSource({
    "V1_18,INCREMENTAL,true",
    "V1_19,INCREMENTAL,false",
    "V2_0,CONFIGURED,true",
    "V1_16,CONFIGURED,false"
  })
  void aCheckpointTypeThatFlinkDoesNotHaveIsRefusedBeforeItIsTriggered(
      FlinkVersion version, CheckpointType type, boolean taken) {
    spec = spec.withFlinkVersion(version);

    assertThat(found(await(type).look()))
        .isInstanceOf(taken ? FoundJob.Up.class : FoundJob.None.class);
  }

  /** The deletion may take a savepoint for 11 min, and no job comes after it. */
  static Stream<Arguments> withoutAJob() {
    return Stream.of(
        without("the job has failed", it -> it.flink.job(FlinkJobState.FAILED, 0)),
        without("the resource does not exist", it -> it.owners = Optional::empty),
        without(
            "it is suspended",
            it -> it.spec = it.spec.withJob(it.spec.job().withState(DesiredJobState.SUSPENDED))),
        without("it is a session cluster", it -> it.spec = it.spec.withJob(null)),
        without(
            "it is being deleted",
            it -> {
              it.deletedAt = "2026-11-21T08:00:00Z";
              it.operation =
                  OperationStatus.EMPTY
                      .withType(OperationType.DELETE)
                      .withState(OperationState.RUNNING);
            }));
  }

  private static Arguments without(String why, Consumer<AwaitJobTest> given) {
    return Arguments.of(why, given);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("withoutAJob")
  void thereIsNoneAfterAWhile(String why, Consumer<AwaitJobTest> given) {
    given.accept(this);

    notYetThenNone(await());
  }

  @Test
  void aJobThatRestartsIsWaitedFor() {
    flink.job(FlinkJobState.RUNNING, 3);
    AwaitJob wait = await();

    assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
    flink.running();

    assertThat(found(wait.look())).isInstanceOf(FoundJob.Up.class);
  }

  @Test
  void anUpgradeIsWaitedForAlsoWhileItsJobHasEnded() {
    reconciliation = ReconciliationState.UPGRADING;
    flink.job(FlinkJobState.FINISHED, 0);
    AwaitJob wait = await();

    for (int i = 0; i < 5; i++) {
      assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
      clock.advance(Duration.ofMinutes(1));
    }
  }

  /** Its spec may be invalid for days: no attempt has failed by that. */
  @Test
  void aResourceThatWasNeverDeployedIsWaitedForAndCountsAsNoAttempt() {
    deployed = false;
    AwaitJob wait = await();
    clock.advance(Duration.ofMinutes(11));

    assertThat(wait.look().toString())
        .contains("FlinkDeployment default/orders was never deployed");
  }

  /** Two absences of a moment, minutes apart, are no absence of 30 s. */
  @Test
  void anAbsenceBeginsAnewAfterTheResourceWasThere() {
    owners = Optional::empty;
    AwaitJob wait = await();
    wait.look();
    owners = () -> Optional.of(owner());
    flink.job(FlinkJobState.RUNNING, 3);
    clock.advance(Duration.ofMinutes(2));
    wait.look();
    owners = Optional::empty;

    notYetThenNone(wait);
  }

  /** W3: ABANDONED after one transient REST failure. */
  @Test
  void w3NoAnswerForLongIsNoLossOfTheJob() {
    AwaitJob wait = await();
    flink.up(false);

    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(wait::look).isInstanceOf(FlinkRestException.Unreachable.class);
      clock.advance(Duration.ofMinutes(1));
    }
    flink.up(true);

    assertThat(found(wait.look())).isInstanceOf(FoundJob.Up.class);
  }
}
