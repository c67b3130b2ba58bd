package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SavepointRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The savepoint of a transition, by a FlinkStateSnapshot whose status the test writes. */
class TransitionSavepointIT extends BlueGreenScenario {

  private static final String PATH = "s3://bucket/savepoint-ab12cd-1";

  @BeforeEach
  void blueIsLiveAndGreenComes() {
    blueIsLive();
    apply(image("flink:2.3"));
    Begin unused = begun(Color.GREEN, Source.SAVEPOINT);
  }

  private List<FlinkStateSnapshot> snapshots() {
    return client
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .withLabel(FlinkBlueGreenDeployment.LABEL, "orders")
        .list()
        .getItems();
  }

  private void says(UnaryOperator<FlinkStateSnapshotStatus> change) {
    client
        .resource(snapshots().get(0))
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            client
                .getKubernetesSerialization()
                .asJson(Map.of("status", change.apply(FlinkStateSnapshotStatus.EMPTY))));
  }

  private static UnaryOperator<FlinkStateSnapshotStatus> completed() {
    return it -> it.withState(SnapshotState.COMPLETED).withPath(PATH).withTriggerId("trigger-1");
  }

  @Test
  void itsPathIsWrittenBeforeItIsAnswered() {
    watcher.between(() -> says(completed()));
    SavepointRequest request = savepoint(Color.BLUE);

    assertThat(activities.takeSavepoint(request)).isEqualTo(new Taken.At(PATH));

    assertThat(standing().transition().savepoint()).isEqualTo(PATH);
    assertThat(status().savepointTriggerId()).isEqualTo("trigger-1");
    assertThat(status().operation().savepoint()).isEqualTo(PATH);
    assertThat(status().operation().fromGeneration()).isEqualTo(1);
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.TRANSITIONING_TO_GREEN);
    assertThat(activities.takeSavepoint(request)).isEqualTo(new Taken.At(PATH));
    activities.applyChild(child(Color.GREEN, null));
    assertThat(child(Color.GREEN).getSpec().job().initialSavepointPath()).isEqualTo(PATH);
  }

  @Test
  void theResourceIsTheParentsAndNoneOfTheHistoryOfTheJob() {
    watcher.between(() -> says(completed()));
    activities.takeSavepoint(savepoint(Color.BLUE));

    FlinkStateSnapshot snapshot = snapshots().get(0);
    assertThat(snapshot.getMetadata().getName()).isEqualTo(status().transition().snapshot());
    assertThat(snapshot.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(it -> assertThat(it.getUid()).isEqualTo(ref.uid()));
    assertThat(snapshot.getSpec().jobReference().name()).isEqualTo("orders-blue");
    assertThat(snapshot.getSpec().isDisposedWithResource()).isFalse();
    assertThat(snapshot.getMetadata().getLabels())
        .containsEntry(SnapshotLabels.REFERENCE_UID, uid(Color.BLUE));
    assertThat(RequestedSnapshot.isOfHistory(snapshot, uid(Color.BLUE))).isFalse();
  }

  @Test
  void oneThatFailedIsAnAnswer() {
    watcher.between(
        () -> says(it -> it.withState(SnapshotState.FAILED).withError("the disk is full")));

    assertThat(activities.takeSavepoint(savepoint(Color.BLUE)))
        .isInstanceOfSatisfying(
            Taken.Failed.class, it -> assertThat(it.why()).contains("the disk is full"));
    assertThat(standing().transition().savepoint()).isNull();
  }

  @Test
  void oneThatWasDeletedIsAnAnswer() {
    watcher.between(() -> client.resource(snapshots().get(0)).delete());

    assertThat(activities.takeSavepoint(savepoint(Color.BLUE))).isInstanceOf(Taken.Failed.class);
  }

  @Test
  void oneThatTakesTooLongIsAnAnswer() {
    watcher.each(Duration.ofMinutes(3));

    assertThat(activities.takeSavepoint(savepoint(Color.BLUE)))
        .isInstanceOfSatisfying(
            Taken.Failed.class, it -> assertThat(it.why()).contains("too long"));
  }

  @Test
  void itIsNotGivenUpBecauseTheClockOfTheWorkerIsAhead() {
    SavepointRequest request = savepoint(Color.BLUE);
    clock.advance(Duration.ofDays(365));
    watcher.between(() -> {}).between(() -> says(completed()));

    assertThat(activities.takeSavepoint(request)).isEqualTo(new Taken.At(PATH));
  }

  @Test
  void aJobThatIsGoneIsAnAnswer() {
    SavepointRequest request = savepoint(Color.BLUE);
    client.resource(child(Color.BLUE)).delete();

    assertThat(activities.takeSavepoint(request))
        .isEqualTo(new Taken.Failed("the live child is gone"));
    assertThat(snapshots()).isEmpty();
  }

  /** Apache's PR #1071: the trigger id of the transition before was asked for again. */
  @Test
  void aTransitionBeginsWithoutTheTriggerIdAndThePathOfTheOneBefore() {
    watcher.between(() -> says(completed()));
    activities.takeSavepoint(savepoint(Color.BLUE));
    assertThat(status().savepointTriggerId()).isEqualTo("trigger-1");
    apply(image("flink:2.4"));

    Begin unused = begun(Color.GREEN, Source.SAVEPOINT);

    assertThat(status().savepointTriggerId()).isNull();
    assertThat(standing().transition().savepoint()).isNull();
    fails(FailureType.OUTDATED, () -> activities.applyChild(child(Color.GREEN, null)));
  }

  /** What was taken for a transition that was given up starts no job of the next one. */
  @Test
  void anotherTransitionTakesAnotherOne() {
    SavepointRequest before = savepoint(Color.BLUE);
    watcher.between(() -> says(completed()));
    activities.takeSavepoint(before);
    end(false);
    clock.advance(Duration.ofSeconds(1));
    apply(image("flink:2.4"));
    Begin unused = begun(Color.GREEN, Source.SAVEPOINT);

    fails(FailureType.OUTDATED, () -> activities.takeSavepoint(before));
    watcher.each(Duration.ofMinutes(3));
    assertThat(activities.takeSavepoint(savepoint(Color.BLUE))).isInstanceOf(Taken.Failed.class);
    assertThat(snapshots()).hasSize(2);
  }

  @Test
  void onlyTheNewestStayWhenATransitionEnds() {
    for (int i = 0; i < 4; i++) {
      watcher.each(Duration.ofMinutes(3));
      activities.takeSavepoint(savepoint(Color.BLUE));
      end(false);
      String image = "flink:3." + i;
      apply(image(image));
      Begin unused = begun(Color.GREEN, Source.SAVEPOINT);
    }

    assertThat(snapshots()).hasSize(2);
  }
}
