package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.WithMethods;
import org.jspecify.annotations.Nullable;

/**
 * What an operation must know to go on where another one has left. Written by the workflow only;
 * what it means depends on {@code status.phase}, which is written with it.
 */
@JsonRecord
@WithMethods
public record ApplicationDeployment(
    @JsonPropertyDescription(
            "The version that is deployed: it runs, or ran before an operation stopped its job.")
        @Nullable DeployedVersion deployed,
    @JsonPropertyDescription(
            "The version that is being deployed, or is running beside the deployed one.")
        @Nullable DeployedVersion target,
    @JsonPropertyDescription(
            "A version whose cluster is still to be deleted: it was replaced, or is being torn down.")
        @Nullable DeployedVersion leaving,
    @JsonPropertyDescription("The savepoint that is being taken.")
        @Nullable SavepointInProgress savepoint,
    @JsonPropertyDescription(
            "State that the newest operation took, and the job that is started from it.")
        @Nullable RecordedState state,
    @JsonPropertyDescription(
            "Newest generation for which everything is done: deployed, failed or of no effect.")
        @Nullable Long settledGeneration,
    @JsonPropertyDescription("How often the job was brought back since it last ran for long.")
        @Nullable Integer recoveries,
    @JsonPropertyDescription("When it was last brought back, RFC 3339.")
        @Nullable String recoveredAt,
    @JsonPropertyDescription(
            "The savepointRedeployNonce for which a job was last started from savepointPath.")
        @Nullable Long savepointRedeployNonce,
    @JsonPropertyDescription("The whole hash of the version that failedDeployHash names.")
        @Nullable String failedFullHash)
    implements ApplicationDeploymentBuilder.With {

  /** Nothing was ever deployed. */
  public static final ApplicationDeployment EMPTY =
      new ApplicationDeployment(null, null, null, null, null, null, null, null, null, null);
}
