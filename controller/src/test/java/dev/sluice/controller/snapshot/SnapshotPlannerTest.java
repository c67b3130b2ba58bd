package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.TemporalAnswers;
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
    return new SeenSnapshot(
        resource,
        new ResourceRef("k", FlinkStateSnapshot.KIND, "default", "kept", "11111111-aaaa"),
        TemporalAnswers.NOTHING);
  }

  private String decision() {
    return text(SnapshotPlanner.decide(seen()));
  }

  private static String text(ReconcileAction action) {
    if (action instanceof EnsureOpen start) {
      return (start.unlessOpen() ? "see to " : "start ") + start.run().type();
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

  /** W5 and FLINK-39356: what cannot be cleaned up must not stay for ever. */
  @ParameterizedTest(name = "{0}, operation {1} {2}, deleted {3}, {4}: {5}")
  @CsvSource({
    ", , , false, , see to Snapshot",
    "IN_PROGRESS, SNAPSHOT, RUNNING, false, , see to Snapshot", // its run may be lost
    "COMPLETED, , , false, , nothing",
    "FAILED, , , false, , nothing",
    "ABANDONED, , , false, , nothing",
    "COMPLETED, , , true, , start Delete",
    "COMPLETED, DELETE, RUNNING, true, , see to Delete",
    "COMPLETED, DELETE, SUCCEEDED, true, , release",
    "COMPLETED, DELETE, FAILED, true, , release",
    "COMPLETED, , , true, force-delete, force",
    ", , , true, , release", // nothing to dispose of
    "FAILED, , , true, , release",
    "ABANDONED, , , true, , release",
    "IN_PROGRESS, , , true, , start Delete",
    "IN_PROGRESS, SNAPSHOT, RUNNING, true, , start Delete",
    "IN_PROGRESS, DELETE, FAILED, true, , release",
  })
  void itFollowsFromStateOperationAndRequest(
      @Nullable SnapshotState state,
      @Nullable OperationType type,
      @Nullable OperationState operation,
      boolean deleted,
      @Nullable String request,
      String expected) {
    if (state != null) {
      is(state);
    }
    if (type != null) {
      operation(type, operation);
    }
    if (request != null) {
      annotations.put("sluice.dev/" + request, request.equals("force-delete") ? "true" : "now");
    }
    deletedAt = deleted ? "2026-11-21T08:00:00Z" : null;

    assertThat(decision()).isEqualTo(expected);
  }

  @Test
  void oneWhoseRunMayHaveBegunIsEndedFirst() {
    deletedAt = "2026-11-21T08:00:00Z";
    status =
        status.withConditions(
            List.of(new ConditionBuilder().withType("Progressing").withStatus("True").build()));

    assertThat(decision()).isEqualTo("start Delete");
  }

  @Test
  void whoseFilesStayGoesWithoutARunOfItsOwn() {
    deletedAt = "2026-11-21T08:00:00Z";
    spec =
        new FlinkStateSnapshotSpec(
            spec.jobReference(), new SavepointSpec(null, null, false, null), null, null);
    is(SnapshotState.IN_PROGRESS);

    assertThat(decision()).isEqualTo("release");
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
