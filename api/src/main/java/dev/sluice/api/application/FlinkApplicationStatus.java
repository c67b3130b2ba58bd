package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a FlinkApplication: Lyft's fields with their meaning, and those of ours.
 *
 * <p>Absent fields are left out of the JSON, so that a writer can apply only what it owns.
 */
@SchemaCustomizer(
    value = DeepMerge.class,
    input =
        """
        {"properties": {
          "versionStatuses": {"maxItems": 2},
          "conditions": {
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
            "items": {
              "required": ["type"],
              "properties": {"status": {"enum": ["True", "False", "Unknown"]}}
            }
          }
        }}
        """)
@JsonRecord
@WithMethods
public record FlinkApplicationStatus(
    @JsonPropertyDescription("Where the application is.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable ApplicationPhase phase,
    @JsonPropertyDescription("When the operation in flight, or the last one, began, RFC 3339.")
        @Nullable String startedAt,
    @JsonPropertyDescription("When the phase last changed, RFC 3339.")
        @Nullable String lastUpdatedAt,
    @JsonPropertyDescription("Why it is in that phase, in one line.") @Nullable String reason,
    @JsonPropertyDescription("Hash of the deployed version.") @Nullable String deployHash,
    @JsonPropertyDescription("BlueGreen: colour of the deployed version.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Colour deployVersion,
    @JsonPropertyDescription(
            "Hash of the version that is being deployed, or runs beside the deployed one.")
        @Nullable String updatingHash,
    @JsonPropertyDescription("BlueGreen: colour of that version.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Colour updatingVersion,
    @JsonPropertyDescription("Hash of the newest version, if its deployment has failed.")
        @Nullable String failedDeployHash,
    @JsonPropertyDescription("Hash of the version that runs, after a deployment has failed.")
        @Nullable String rollbackHash,
    @JsonPropertyDescription("BlueGreen: hash of the version that was torn down last.")
        @Nullable String teardownHash,
    @JsonPropertyDescription("Hash of the version whose cluster was scaled in place.")
        @Nullable String inPlaceUpdatedFromHash,
    @JsonPropertyDescription("Trigger id of the savepoint that is, or was last, being taken.")
        @Nullable String savepointTriggerId,
    @JsonPropertyDescription("Savepoint or checkpoint that the job is being started from.")
        @Nullable String savepointPath,
    @JsonPropertyDescription("Attempts at the step in flight that have failed.")
        @Nullable Integer retryCount,
    @JsonPropertyDescription("Why the operation is held or has failed.")
        @Nullable ApplicationError lastSeenError,
    @JsonPropertyDescription("The mode that was deployed.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable DeploymentMode deploymentMode,
    @JsonPropertyDescription("What was last seen of the cluster of the deployed version.")
        @Nullable ClusterStatus clusterStatus,
    @JsonPropertyDescription("What was last seen of the job of the deployed version.")
        @Nullable ApplicationJobStatus jobStatus,
    @JsonPropertyDescription("BlueGreen: the versions there are, the deployed one first.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<VersionStatus> versionStatuses,
    @JsonPropertyDescription("Newest generation the controller has looked at.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Ready, Progressing, Stalled and Running.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Condition> conditions,
    @JsonPropertyDescription("The operation in flight, or the last one.")
        @Nullable OperationStatus operation,
    @JsonPropertyDescription("Request annotations already handled.")
        @Nullable HandledRequests requests,
    @JsonPropertyDescription("The versions there are, and what the next operation must know.")
        @Nullable ApplicationDeployment deployment)
    implements FlinkApplicationStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final FlinkApplicationStatus EMPTY =
      FlinkApplicationStatusBuilder.builder().build();

  public FlinkApplicationStatus {
    versionStatuses = Json.copyOrEmpty(versionStatuses);
    conditions = Json.copyOrEmpty(conditions);
  }
}
