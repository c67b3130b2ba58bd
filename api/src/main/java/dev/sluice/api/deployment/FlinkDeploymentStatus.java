package dev.sluice.api.deployment;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a FlinkDeployment: Apache's fields with their meaning, plus {@code operation},
 * {@code requests} and all four {@code conditions}.
 *
 * <p>Absent fields are left out of the JSON, so that a writer can apply only what it owns.
 */
@SchemaCustomizer(value = DeepMerge.class, input = DeepMerge.CONDITIONS)
@JsonRecord
@WithMethods
public record FlinkDeploymentStatus(
    @JsonPropertyDescription("What was last seen of the job.") @Nullable JobStatus jobStatus,
    @JsonPropertyDescription("What is wrong, as JSON; absent when nothing is.")
        @Nullable String error,
    @JsonPropertyDescription("Newest generation the controller has looked at.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("One word for the whole resource.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable LifecycleState lifecycleState,
    @JsonPropertyDescription(
            "What the cluster says of itself: flink-version, flink-revision, total-cpu, total-memory.")
        @Nullable Map<String, String> clusterInfo,
    @JsonPropertyDescription("What is known of the JobManager Deployment.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable JobManagerDeploymentStatus jobManagerDeploymentStatus,
    @JsonPropertyDescription("Which spec is deployed or being deployed, and which was last stable.")
        @Nullable ReconciliationStatus reconciliationStatus,
    @JsonPropertyDescription("For the scale subresource.") @Nullable TaskManagerInfo taskManager,
    @JsonPropertyDescription("Ready, Progressing, Stalled and Running.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Condition> conditions,
    @JsonPropertyDescription("The operation in flight, or the last one.")
        @Nullable OperationStatus operation,
    @JsonPropertyDescription("Request annotations already handled.")
        @Nullable HandledRequests requests,
    @JsonPropertyDescription(
            "State that the newest upgrade took from the job before it, and the job started from it.")
        @Nullable RecordedState recordedState,
    @JsonPropertyDescription(
            "How the job ended that was started last, and what it left; absent while it may run.")
        @Nullable EndedJob endedJob,
    @JsonPropertyDescription("A stop of the job whose outcome is not recorded yet.")
        @Nullable PendingStop pendingStop,
    @JsonPropertyDescription(
            "How often the job was brought back since it was last stable for long.")
        @Nullable RecoveryStatus recovery,
    @JsonPropertyDescription("Savepoints and checkpoints that the spec asked for by a nonce.")
        @Nullable SnapshotTriggers snapshotTriggers,
    @JsonPropertyDescription(
            "Savepoints and checkpoints that are taken without a FlinkStateSnapshot.")
        @Nullable StatusSnapshots snapshots)
    implements JobResourceStatus, FlinkDeploymentStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final FlinkDeploymentStatus EMPTY =
      new FlinkDeploymentStatus(
          null, null, null, null, null, null, null, null, List.of(), null, null, null, null, null,
          null, null, null);

  public FlinkDeploymentStatus {
    conditions = Json.copyOrEmpty(conditions);
  }

  /** The spec deployed or being deployed; null when nothing ever was. */
  public @Nullable FrozenSpec lastReconciled() {
    return reconciliationStatus == null
        ? null
        : FrozenSpec.parseNullable(reconciliationStatus.lastReconciledSpec());
  }
}
