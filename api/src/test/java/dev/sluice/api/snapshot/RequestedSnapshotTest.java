package dev.sluice.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestedSnapshotTest {

  private static final String TIME = "20261121100005";
  private static final ObjectMeta ORDERS =
      new ObjectMetaBuilder().withNamespace("shop").withName("orders").withUid("uid-1").build();

  private static FlinkStateSnapshot of(
      SnapshotType type, TriggerType trigger, Map<String, String> configuration) {
    return RequestedSnapshot.of(
        type,
        trigger,
        JobKind.FLINK_DEPLOYMENT,
        ORDERS,
        TIME,
        FlinkConfiguration.of(configuration));
  }

  @Test
  void aSavepointIsCanonicalAndItsFilesStayUnlessTheSpecSaysOtherwise() {
    FlinkStateSnapshot snapshot = of(SnapshotType.SAVEPOINT, TriggerType.MANUAL, Map.of());

    assertThat(snapshot.getMetadata().getName()).isEqualTo("orders-savepoint-manual-" + TIME);
    assertThat(snapshot.getMetadata().getNamespace()).isEqualTo("shop");
    assertThat(snapshot.getMetadata().getOwnerReferences()).isNullOrEmpty();
    assertThat(snapshot.getSpec())
        .isEqualTo(
            new FlinkStateSnapshotSpec(
                new JobReference(JobKind.FLINK_DEPLOYMENT, "orders"),
                new SavepointSpec(null, SavepointFormatType.CANONICAL, false, null),
                null,
                null));
  }

  @Test
  void formatAndDisposalAreThoseOfTheConfiguration() {
    FlinkStateSnapshot snapshot =
        of(
            SnapshotType.SAVEPOINT,
            TriggerType.PERIODIC,
            Map.of(
                "kubernetes.operator.savepoint.format.type", " native",
                "kubernetes.operator.savepoint.dispose-on-delete", "True"));

    assertThat(snapshot.getSpec().savepoint())
        .isEqualTo(new SavepointSpec(null, SavepointFormatType.NATIVE, true, null));
  }

  @Test
  void aCheckpointIsAFullOneUnlessTheSpecSaysOtherwise() {
    assertThat(of(SnapshotType.CHECKPOINT, TriggerType.MANUAL, Map.of()).getSpec().checkpoint())
        .isEqualTo(new CheckpointSpec());
    assertThat(
            of(
                    SnapshotType.CHECKPOINT,
                    TriggerType.PERIODIC,
                    Map.of("kubernetes.operator.checkpoint.type", " configured"))
                .getSpec()
                .checkpoint())
        .isEqualTo(new CheckpointSpec(CheckpointType.CONFIGURED));
  }

  @Test
  void itsLabelsSayWhatItIsAndThatSluiceMadeIt() {
    FlinkStateSnapshot snapshot = of(SnapshotType.CHECKPOINT, TriggerType.PERIODIC, Map.of());

    assertThat(snapshot.getMetadata().getLabels())
        .isEqualTo(
            Map.of(
                "app.kubernetes.io/managed-by", "sluice",
                "sluice.dev/job-reference-uid", "uid-1",
                "snapshot.type", "CHECKPOINT",
                "snapshot.trigger-type", "PERIODIC",
                "job-reference.kind", "FlinkDeployment",
                "job-reference.name", "orders"));
    assertThat(RequestedSnapshot.isMade(snapshot, TriggerType.PERIODIC, "uid-1")).isTrue();
    assertThat(RequestedSnapshot.isMade(snapshot, TriggerType.MANUAL, "uid-1")).isFalse();
  }

  @Test
  void theSavepointOfAnOperationIsOneThatExists() {
    Savepoint taken = Savepoint.ofOperation(7, "s3://b/savepoint-1", "NATIVE");
    FlinkStateSnapshot snapshot =
        RequestedSnapshot.ofTaken(
            JobKind.FLINK_DEPLOYMENT, ORDERS, taken, FlinkConfiguration.empty());

    assertThat(snapshot.getMetadata().getName()).matches("orders-savepoint-upgrade-[0-9a-f]{8}");
    assertThat(snapshot.getSpec().savepoint())
        .isEqualTo(
            new SavepointSpec("s3://b/savepoint-1", SavepointFormatType.NATIVE, false, true));
    assertThat(RequestedSnapshot.isMade(snapshot, TriggerType.UPGRADE, "uid-1")).isTrue();
    assertThat(RequestedSnapshot.isOfHistory(snapshot, "uid-1")).isTrue();
    assertThat(RequestedSnapshot.isOfHistory(snapshot, "uid-2")).isFalse();
  }

  private static FlinkStateSnapshot taken(String disposeOnDelete) {
    return RequestedSnapshot.ofTaken(
        JobKind.FLINK_DEPLOYMENT,
        ORDERS,
        Savepoint.ofOperation(7, "s3://b/savepoint-1", "NATIVE"),
        FlinkConfiguration.of(
            Map.of("kubernetes.operator.savepoint.dispose-on-delete", disposeOnDelete)));
  }

  /** So that nothing of it has to be written again. */
  @Test
  void theSavepointOfAnOperationHasItsStateAndItsFinalizerFromTheFirst() {
    assertThat(taken("false").getMetadata().getLabels())
        .containsEntry("snapshot.state", "COMPLETED");
    assertThat(taken("false").getMetadata().getFinalizers()).isNullOrEmpty();
    assertThat(taken("true").getMetadata().getFinalizers())
        .containsExactly("flinkstatesnapshots.flink.apache.org/finalizer");
  }

  @Test
  void whatSomebodyElseMadeIsNotOurs() {
    FlinkStateSnapshot theirs = of(SnapshotType.SAVEPOINT, TriggerType.PERIODIC, Map.of());
    theirs.getMetadata().getLabels().remove("app.kubernetes.io/managed-by");

    assertThat(RequestedSnapshot.isMade(theirs, TriggerType.PERIODIC, "uid-1")).isFalse();
  }

  /** {@code kubectl get -o yaml}, another name, {@code kubectl apply}: the labels come along. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "before-the-change",
        "orders-checkpoint-periodic-20261121100005",
        "orders-eu-savepoint-periodic-20261121100005"
      })
  void aCopyIsNotOurs(String name) {
    FlinkStateSnapshot copy = of(SnapshotType.SAVEPOINT, TriggerType.PERIODIC, Map.of());
    copy.getMetadata().setName(name);

    assertThat(RequestedSnapshot.isMade(copy, TriggerType.PERIODIC, "uid-1")).isFalse();
  }

  @Test
  void whatWasMadeForAnEarlierResourceOfTheNameIsNotOfThisOne() {
    FlinkStateSnapshot snapshot = of(SnapshotType.SAVEPOINT, TriggerType.PERIODIC, Map.of());

    assertThat(RequestedSnapshot.isMade(snapshot, TriggerType.PERIODIC, "uid-2")).isFalse();
    snapshot.getMetadata().getLabels().remove("sluice.dev/job-reference-uid");
    assertThat(RequestedSnapshot.isMade(snapshot, TriggerType.PERIODIC, "uid-1")).isFalse();
  }
}
