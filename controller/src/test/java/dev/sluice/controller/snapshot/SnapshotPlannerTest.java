package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotPlannerTest {

  private FlinkStateSnapshotSpec spec =
      new FlinkStateSnapshotSpec(
          new JobReference(JobKind.FLINK_DEPLOYMENT, "orders"),
          new SavepointSpec(null, null, null, null),
          null,
          null);
  private FlinkStateSnapshotStatus status =
      FlinkStateSnapshotStatus.EMPTY.withObservedGeneration(1L);
  private final Map<String, String> annotations = new HashMap<>();
  private @Nullable String deletedAt;
  private List<String> finalizers = List.of(FlinkStateSnapshot.FINALIZER);

  private SeenSnapshot seen() {
    FlinkStateSnapshot resource = new FlinkStateSnapshot();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("kept")
            .withUid("11111111-aaaa")
            .withGeneration(1L)
            .withAnnotations(annotations)
            .withFinalizers(finalizers)
            .withDeletionTimestamp(deletedAt)
            .build());
    resource.setSpec(spec);
    resource.setStatus(status);
    return SeenSnapshot.of(
        resource,
        new ResourceRef("k", FlinkStateSnapshot.KIND, "default", "kept", "11111111-aaaa"),
        WorkflowState.NOTHING);
  }

  private String decision() {
    return text(SnapshotPlanner.decide(seen()));
  }

  private static String text(ReconcileAction action) {
    if (action instanceof Start start) {
      return (start.unlessOpen() ? "see to " : "start ")
          + start.run().type()
          + (start.run().retry() ? " again" : "");
    }
    if (action instanceof Signal signal) {
      return signal.request().display() + (signal.otherwise() == null ? "" : " or start");
    }
    if (action instanceof RemoveFinalizer remove) {
      return remove.forced() ? "force" : "release";
    }
    return action instanceof Nothing ? "nothing" : action.toString();
  }

  private void is(SnapshotState state) {
    status = status.withState(state).withPath(state == SnapshotState.COMPLETED ? "s3://p" : null);
  }

  private void operation(OperationType type, OperationState state) {
    status =
        status.withOperation(
            OperationStatus.EMPTY
                .withType(type)
                .withState(state)
                .withWorkflowId("FlinkStateSnapshot_default_kept_11111111"));
  }

  @Test
  void aNewOneIsStarted() {
    assertThat(decision()).isEqualTo("see to Snapshot");
  }

  @Test
  void aRunThatMayBeLostIsSeenTo() {
    is(SnapshotState.IN_PROGRESS);
    operation(OperationType.SNAPSHOT, OperationState.RUNNING);

    assertThat(decision()).isEqualTo("see to Snapshot");
  }

  @ParameterizedTest
  @EnumSource(
      value = SnapshotState.class,
      names = {"COMPLETED", "FAILED", "ABANDONED"})
  void oneThatHasEndedIsLeftAlone(SnapshotState state) {
    is(state);

    assertThat(decision()).isEqualTo("nothing");
  }

  @Test
  void anInvalidOneIsNotStarted() {
    spec = new FlinkStateSnapshotSpec(spec.jobReference(), null, null, null);

    assertThat(decision()).isEqualTo("nothing");
  }

  @ParameterizedTest
  @CsvSource({
    "FAILED,sluice.dev/retry=once more or start",
    "ABANDONED,sluice.dev/retry=once more or start",
    "COMPLETED,sluice.dev/retry=once more"
  })
  void aRetryBeginsAgainWhatWasGivenUp(SnapshotState state, String expected) {
    is(state);
    annotations.put("sluice.dev/retry", "once more");

    assertThat(decision()).isEqualTo(expected);
  }

  @Test
  void aRequestThatWasHandledIsNoneAnyMore() {
    is(SnapshotState.FAILED);
    annotations.put("sluice.dev/retry", "once more");
    status = status.withRequests(new HandledRequests(null, "once more"));

    assertThat(decision()).isEqualTo("nothing");
  }

  @Test
  void anAbortReachesTheOpenRun() {
    is(SnapshotState.IN_PROGRESS);
    operation(OperationType.SNAPSHOT, OperationState.RUNNING);
    annotations.put("sluice.dev/abort", "enough");

    assertThat(decision()).isEqualTo("sluice.dev/abort=enough or start");
  }

  @Test
  void aDeletedSavepointIsDisposedOf() {
    deletedAt = "2026-11-21T08:00:00Z";
    is(SnapshotState.COMPLETED);

    assertThat(decision()).isEqualTo("start Delete");
    operation(OperationType.DELETE, OperationState.RUNNING);
    assertThat(decision()).isEqualTo("see to Delete");
  }

  @Test
  void oneWhoseRunMayHaveBegunIsEndedFirst() {
    deletedAt = "2026-11-21T08:00:00Z";
    status =
        status.withConditions(
            List.of(new ConditionBuilder().withType("Progressing").withStatus("True").build()));

    assertThat(decision()).isEqualTo("start Delete");
  }

  /** W5 and FLINK-39356: what cannot be cleaned up must not stay for ever. */
  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"SUCCEEDED", "FAILED"})
  void theFinalizerGoesWhateverBecameOfTheDisposal(OperationState state) {
    deletedAt = "2026-11-21T08:00:00Z";
    is(SnapshotState.COMPLETED);
    operation(OperationType.DELETE, state);

    assertThat(decision()).isEqualTo("release");
  }

  @Test
  void whereThereIsNothingToDisposeOfTheFinalizerGoesAtOnce() {
    deletedAt = "2026-11-21T08:00:00Z";
    assertThat(decision()).isEqualTo("release");

    is(SnapshotState.FAILED);
    assertThat(decision()).isEqualTo("release");
  }

  @ParameterizedTest(name = "{0}, disposed of {1}: {2}")
  @CsvSource({
    "TRIGGER_PENDING,true,release",
    "IN_PROGRESS,true,start Delete",
    "FAILED,true,release",
    "ABANDONED,true,release",
    // its files are left
    "IN_PROGRESS,false,release"
  })
  void aTriggerInFlightIsWaitedForBeforeTheFinalizerGoes(
      SnapshotState state, boolean disposes, String expected) {
    deletedAt = "2026-11-21T08:00:00Z";
    spec =
        new FlinkStateSnapshotSpec(
            spec.jobReference(), new SavepointSpec(null, null, disposes, null), null, null);
    is(state);
    status = status.withTriggerId("trigger");

    assertThat(decision()).isEqualTo(expected);
    operation(OperationType.DELETE, OperationState.FAILED);
    assertThat(decision()).isEqualTo("release");
  }

  @Test
  void oneInProgressIsEndedFirst() {
    deletedAt = "2026-11-21T08:00:00Z";
    is(SnapshotState.IN_PROGRESS);
    operation(OperationType.SNAPSHOT, OperationState.RUNNING);

    assertThat(decision()).isEqualTo("start Delete");
  }

  @Test
  void force() {
    deletedAt = "2026-11-21T08:00:00Z";
    is(SnapshotState.COMPLETED);
    annotations.put("sluice.dev/force-delete", "true");

    assertThat(decision()).isEqualTo("force");
  }

  @Test
  void aRunOfOneThatIsGoneIsToldSo() {
    is(SnapshotState.IN_PROGRESS);
    operation(OperationType.SNAPSHOT, OperationState.RUNNING);
    assertThat(text(SnapshotPlanner.onceGone(seen()))).isEqualTo("start Delete");

    is(SnapshotState.COMPLETED);
    operation(OperationType.SNAPSHOT, OperationState.SUCCEEDED);
    assertThat(text(SnapshotPlanner.onceGone(seen()))).isEqualTo("nothing");
  }

  @Test
  void theLabelsAreThoseOfApachesOperator() {
    is(SnapshotState.COMPLETED);

    assertThat(SnapshotLabels.of(seen().resource()))
        .containsOnly(
            Map.entry("snapshot.type", "SAVEPOINT"),
            Map.entry("snapshot.trigger-type", "MANUAL"),
            Map.entry("snapshot.state", "COMPLETED"),
            Map.entry("job-reference.kind", "FlinkDeployment"),
            Map.entry("job-reference.name", "orders"));
    spec = new FlinkStateSnapshotSpec(spec.jobReference(), null, new CheckpointSpec(), null);
    assertThat(SnapshotLabels.of(seen().resource())).containsEntry("snapshot.type", "CHECKPOINT");
  }
}
