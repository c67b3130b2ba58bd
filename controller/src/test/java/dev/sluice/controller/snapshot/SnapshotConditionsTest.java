package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotConditionsTest {

  private static final TemporalAnswers TEMPORAL_IS_AWAY =
      new TemporalAnswers(Map.of(), "Temporal does not answer");

  private FlinkStateSnapshotSpec spec = ofSavepoint(new SavepointSpec(null, null, null, null));
  private FlinkStateSnapshotStatus status = FlinkStateSnapshotStatus.EMPTY;
  private TemporalAnswers temporal = TemporalAnswers.NOTHING;
  private @Nullable String deletedAt;

  private static FlinkStateSnapshotSpec ofSavepoint(SavepointSpec savepoint) {
    return new FlinkStateSnapshotSpec(
        new JobReference(JobKind.FLINK_DEPLOYMENT, "orders"), savepoint, null, null);
  }

  private Map<String, Condition> conditions() {
    FlinkStateSnapshot resource = new FlinkStateSnapshot();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("kept")
            .withUid("11111111-aaaa")
            .withDeletionTimestamp(deletedAt)
            .build());
    resource.setSpec(spec);
    resource.setStatus(status);
    SeenSnapshot seen =
        new SeenSnapshot(
            resource,
            new ResourceRef("k", FlinkStateSnapshot.KIND, "default", "kept", "11111111-aaaa"),
            temporal);
    return new SnapshotProjection(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
        .project(seen, new Nothing()).conditions().stream()
            .collect(Collectors.toMap(Condition::getType, it -> it));
  }

  private Map<String, String> statusAndReason() {
    return conditions().entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                it -> it.getValue().getStatus() + " " + it.getValue().getReason()));
  }

  private String message(String type) {
    return conditions().get(type).getMessage();
  }

  private void operation(OperationState state, @Nullable String reason, @Nullable String message) {
    status =
        status.withOperation(
            OperationStatus.EMPTY.withState(state).withReason(reason).withMessage(message));
  }

  @ParameterizedTest
  @CsvSource({
    "TRIGGER_PENDING,False Pending,True Pending,False NotStalled",
    "IN_PROGRESS,False SnapshotInProgress,True SnapshotInProgress,False NotStalled",
    "COMPLETED,True SnapshotCompleted,False Idle,False NotStalled",
    "FAILED,False SnapshotFailed,False Idle,True SnapshotFailed",
    "ABANDONED,False SnapshotAbandoned,False Idle,True SnapshotAbandoned"
  })
  void theyFollowFromTheState(
      SnapshotState state, String ready, String progressing, String stalled) {
    status = status.withState(state);

    assertThat(statusAndReason())
        .isEqualTo(Map.of("Ready", ready, "Progressing", progressing, "Stalled", stalled));
  }

  @Test
  void oneWhoseJobIsWaitedForIsInProgress() {
    operation(OperationState.RUNNING, null, "Waiting until the job of orders is up");

    assertThat(statusAndReason())
        .isEqualTo(
            Map.of(
                "Ready", "False SnapshotInProgress",
                "Progressing", "True SnapshotInProgress",
                "Stalled", "False NotStalled"));
    assertThat(message("Ready")).isEqualTo("Waiting until the job of orders is up");
  }

  @Test
  void whatBlocksItIsSaidByStalled() {
    status = status.withState(SnapshotState.IN_PROGRESS);
    operation(OperationState.BLOCKED, "JobManagerSilent", "The JobManager does not answer");

    assertThat(statusAndReason())
        .containsEntry("Stalled", "True JobManagerSilent")
        .containsEntry("Progressing", "True SnapshotInProgress");
    assertThat(message("Stalled")).isEqualTo("The JobManager does not answer");
  }

  @ParameterizedTest
  @EnumSource(names = {"TRIGGER_PENDING", "IN_PROGRESS"})
  void withoutTemporalItIsNotKnownWhetherItGoesOn(SnapshotState state) {
    status = status.withState(state);
    temporal = TEMPORAL_IS_AWAY;

    assertThat(statusAndReason()).containsEntry("Progressing", "Unknown TemporalUnavailable");
    assertThat(message("Progressing")).isEqualTo("Temporal does not answer");
  }

  @Test
  void whatNeedsNoTemporalSaysNothingOfIt() {
    status = status.withState(SnapshotState.COMPLETED);
    temporal = TEMPORAL_IS_AWAY;

    assertThat(statusAndReason()).containsEntry("Progressing", "False Idle");
  }

  @Test
  void oneThatIsDeletedIsInProgressUntilItIsGone() {
    status = status.withState(SnapshotState.COMPLETED);
    deletedAt = "2026-11-21T10:00:00Z";

    assertThat(statusAndReason())
        .isEqualTo(
            Map.of(
                "Ready", "True SnapshotCompleted",
                "Progressing", "True Deleting",
                "Stalled", "False NotStalled"));
  }

  @Test
  void beforeItsRunEachSaysWhatIsDone() {
    assertThat(message("Ready")).isEqualTo("A savepoint of FlinkDeployment orders will be taken.");

    spec = new FlinkStateSnapshotSpec(spec.jobReference(), null, new CheckpointSpec(), null);
    assertThat(message("Ready")).isEqualTo("A checkpoint of FlinkDeployment orders will be taken.");
  }
}
