package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.snapshot.SavepointReferences;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.deployment.Deployed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FLINK-38033: a clean-up disposed of the savepoint that an upgrade needed. */
class SavepointReferencesTest {

  private static final FlinkStateSnapshot SAVEPOINT =
      MadeSnapshots.periodic(SnapshotType.SAVEPOINT, 7, Duration.ZERO, SnapshotState.COMPLETED);
  private static final String SPELLED_OTHERWISE = "s3a://b/savepoint-7/_metadata";

  private static final JobStatus LAST_SAVEPOINT =
      JobStatus.EMPTY.withSavepointInfo(
          new SavepointInfo(
              new Savepoint(1, SPELLED_OTHERWISE, "MANUAL", "CANONICAL", null),
              null,
              null,
              null,
              null,
              List.of(),
              0));

  static Stream<Arguments> references() {
    return Stream.of(
        reference(
            "jobStatus.upgradeSavepointPath",
            it -> it.jobStatus(JobStatus.EMPTY.withUpgradeSavepointPath(SPELLED_OTHERWISE))),
        reference(
            "recordedState",
            it ->
                it.status(
                    it.resource()
                        .getStatus()
                        .withRecordedState(
                            new RecordedState(
                                RecordedState.Type.SAVEPOINT,
                                SPELLED_OTHERWISE,
                                null,
                                null,
                                null)))),
        reference(
            "recordedState.leftByStable",
            it ->
                it.status(
                    it.resource()
                        .getStatus()
                        .withRecordedState(
                            new RecordedState(
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                new RecordedState.Left(
                                    RecordedState.Type.SAVEPOINT, SPELLED_OTHERWISE, null),
                                null,
                                null,
                                null,
                                null,
                                null)))),
        reference("spec.job.initialSavepointPath", SavepointReferencesTest::initial),
        reference("spec.job.flinkStateSnapshotReference", SavepointReferencesTest::named),
        reference(
            "the deployed spec",
            it -> {
              var newest = it.resource().getSpec();
              return initial(it).frozen(6).spec(newest);
            }),
        reference(
            "the last stable spec",
            it -> {
              var newest = it.resource().getSpec();
              return initial(it).stable(6).spec(newest);
            }),
        reference(
            "savepointInfo.lastSavepoint of a job that Apache's operator suspended",
            SavepointReferencesTest::suspendedByApache),
        reference("a frozen spec that cannot be read", it -> unreadable(it, SPELLED_OTHERWISE)),
        reference(
            "a frozen spec that cannot be read, by its name",
            it -> unreadable(it, "\", \"name\": \"" + SAVEPOINT.getMetadata().getName())),
        reference(
            "restore-from", it -> it.annotated("sluice.dev/restore-from", SPELLED_OTHERWISE)));
  }

  private static Deployed suspendedByApache(Deployed it) {
    FlinkDeploymentSpec spec = it.resource().getSpec();
    String frozen =
        new FrozenSpec(
                spec.withJob(spec.job().withState(DesiredJobState.SUSPENDED)), 1, false, null)
            .toJson();
    return it.status(
        it.resource()
            .getStatus()
            .withReconciliationStatus(ReconciliationStatus.EMPTY.withLastReconciledSpec(frozen))
            .withJobStatus(LAST_SAVEPOINT));
  }

  private static Deployed initial(Deployed it) {
    var spec = it.resource().getSpec();
    return it.spec(spec.withJob(spec.job().withInitialSavepointPath(SPELLED_OTHERWISE)));
  }

  private static Deployed named(Deployed it) {
    var spec = it.resource().getSpec();
    return it.spec(
        spec.withJob(
            spec.job()
                .withFlinkStateSnapshotReference(
                    new SnapshotReference(null, SAVEPOINT.getMetadata().getName(), null))));
  }

  private static Deployed unreadable(Deployed it, String what) {
    return it.status(
        it.resource()
            .getStatus()
            .withReconciliationStatus(
                ReconciliationStatus.EMPTY.withLastStableSpec("{\"spec\": \"" + what + "\"")));
  }

  private static Arguments reference(String where, UnaryOperator<Deployed> refer) {
    return Arguments.of(where, refer);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("references")
  void whatAResourceRefersToIsNeeded(String where, UnaryOperator<Deployed> refer) {
    FlinkDeployment unrelated = Deployed.running().resource();
    FlinkDeployment referring = refer.apply(Deployed.running()).resource();

    assertThat(isNeeded(SAVEPOINT, referring)).isTrue();
    assertThat(isNeeded(SAVEPOINT, unrelated)).isFalse();
  }

  private static boolean isNeeded(FlinkStateSnapshot snapshot, HasMetadata by) {
    return SavepointReferences.named(
            by, new SavepointReferences.Target(snapshot.getStatus().path(), snapshot))
        .isPresent();
  }

  @Test
  void whatASessionJobRefersToIsNeeded() {
    FlinkSessionJob job = new FlinkSessionJob();
    job.getMetadata().setNamespace("default");
    job.getMetadata().setName("totals");
    job.setStatus(
        job.getStatus()
            .withReconciliationStatus(
                ReconciliationStatus.EMPTY.withLastStableSpec(
                    "{\"job\": {\"initialSavepointPath\": \"" + SPELLED_OTHERWISE + "\"}}")));

    assertThat(isNeeded(SAVEPOINT, job)).isTrue();
    assertThat(isNeeded(SAVEPOINT, new FlinkSessionJob())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://b/savepoint-77", "s3://b/savepoint-7-b", "savepoint-7x"})
  void anotherSavepointIsAnotherOneAlthoughItsNameBeginsTheSame(String path) {
    FlinkDeployment other =
        Deployed.running().jobStatus(JobStatus.EMPTY.withUpgradeSavepointPath(path)).resource();

    assertThat(isNeeded(SAVEPOINT, other)).isFalse();
  }

  @Test
  void aSavepointThatAnotherSnapshotIsOfIsShared() {
    FlinkStateSnapshot other = new FlinkStateSnapshot();
    other.getMetadata().setUid("another");
    other.setSpec(
        new FlinkStateSnapshotSpec(
            null, new SavepointSpec(SPELLED_OTHERWISE, null, null, true), null, null));

    assertThat(isNeeded(SAVEPOINT, other)).isTrue();
    assertThat(isNeeded(SAVEPOINT, SAVEPOINT)).isFalse();
  }

  @Test
  void whatAStatusReportsIsNoReference() {
    Savepoint taken = new Savepoint(1, SPELLED_OTHERWISE, "MANUAL", "CANONICAL", null);
    SavepointInfo info = new SavepointInfo(null, null, null, null, null, List.of(taken), 0);
    FlinkDeployment reporting =
        Deployed.running().jobStatus(JobStatus.EMPTY.withSavepointInfo(info)).resource();

    assertThat(isNeeded(SAVEPOINT, reporting)).isFalse();
  }

  @Test
  void aCheckpointOfAnotherJobIsAnotherOneAlthoughItHasTheSameName() {
    FlinkStateSnapshot checkpoint =
        MadeSnapshots.periodic(SnapshotType.CHECKPOINT, 7, Duration.ZERO, SnapshotState.COMPLETED);
    checkpoint.setStatus(checkpoint.getStatus().withPath("s3://b/job-1/chk-7"));
    FlinkDeployment other =
        Deployed.running()
            .jobStatus(JobStatus.EMPTY.withUpgradeSavepointPath("s3://b/job-2/chk-7"))
            .resource();

    assertThat(isNeeded(checkpoint, other)).isFalse();
  }
}
