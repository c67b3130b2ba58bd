package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a FlinkBlueGreenDeployment: Apache's fields with their meaning, plus {@code
 * live}, {@code transition}, {@code givenUp}, {@code operation}, {@code observedGeneration}, {@code
 * requests} and {@code conditions}. The controller writes {@code jobStatus}, {@code error} and the
 * last three, the workflow everything else.
 *
 * <p>Absent fields are left out of the JSON, so that a writer can apply only what it owns.
 */
@SchemaCustomizer(value = DeepMerge.class, input = DeepMerge.CONDITIONS)
@JsonRecord
@WithMethods
public record FlinkBlueGreenDeploymentStatus(
    @JsonPropertyDescription("What was last seen of the live job.") @Nullable JobStatus jobStatus,
    @JsonPropertyDescription("Which child is live, or comes.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable BlueGreenState blueGreenState,
    @JsonPropertyDescription("The last spec that was reached, as JSON.")
        @Nullable String lastReconciledSpec,
    @JsonPropertyDescription("When it was reached, RFC 3339.")
        @Nullable String lastReconciledTimestamp,
    @JsonPropertyDescription("When the transition is given up if it is not through, RFC 3339.")
        @Nullable String abortTimestamp,
    @JsonPropertyDescription("When the new child was ready, RFC 3339.")
        @Nullable String deploymentReadyTimestamp,
    @JsonPropertyDescription("Flink's trigger id of the savepoint of the transition.")
        @Nullable String savepointTriggerId,
    @JsonPropertyDescription("What is wrong, as JSON; absent when nothing is.")
        @Nullable String error,
    @JsonPropertyDescription("The child that is live.") @Nullable LiveChild live,
    @JsonPropertyDescription("The transition in flight.") @Nullable TransitionStatus transition,
    @JsonPropertyDescription("The newest spec that was given up.") @Nullable GivenUp givenUp,
    @JsonPropertyDescription("The operation in flight, or the last one.")
        @Nullable OperationStatus operation,
    @JsonPropertyDescription("Newest generation the controller has looked at.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Request annotations already handled.")
        @Nullable HandledRequests requests,
    @JsonPropertyDescription("Ready, Progressing, Stalled and Running.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Condition> conditions)
    implements FlinkBlueGreenDeploymentStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final FlinkBlueGreenDeploymentStatus EMPTY =
      new FlinkBlueGreenDeploymentStatus(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          List.of());

  public FlinkBlueGreenDeploymentStatus {
    conditions = Json.copyOrEmpty(conditions);
  }

  /**
   * The last spec that was reached; null when none was.
   *
   * @throws IllegalArgumentException when it cannot be read
   */
  public @Nullable FrozenBlueGreen lastReconciled() {
    return FrozenBlueGreen.parseNullable(lastReconciledSpec);
  }

  /** The condition of that type, if it was ever set. */
  public Optional<Condition> condition(String type) {
    return conditions.stream().filter(c -> type.equals(c.getType())).findFirst();
  }
}
