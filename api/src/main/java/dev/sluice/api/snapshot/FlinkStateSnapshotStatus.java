package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of a snapshot: Apache's fields with their meaning, plus {@code jobId}, {@code
 * operation}, {@code observedGeneration} and {@code conditions}. The last two are the controller's,
 * everything else is the workflow's; of a snapshot that needs no run the controller writes it, by
 * the workflow's field manager.
 */
@SchemaCustomizer(value = DeepMerge.class, input = DeepMerge.CONDITIONS)
@JsonRecord
@WithMethods
public record FlinkStateSnapshotStatus(
    @JsonPropertyDescription("TRIGGER_PENDING, IN_PROGRESS, COMPLETED, FAILED or ABANDONED.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable SnapshotState state,
    @JsonPropertyDescription("Flink's trigger id of the newest attempt.")
        @Nullable String triggerId,
    @JsonPropertyDescription("When the newest attempt was triggered, RFC 3339.")
        @Nullable String triggerTimestamp,
    @JsonPropertyDescription("Time of the newest success or failure, RFC 3339.")
        @Nullable String resultTimestamp,
    @JsonPropertyDescription("Where it is.") @Nullable String path,
    @JsonPropertyDescription("Why the newest attempt failed, or why it was given up.")
        @Nullable String error,
    @JsonPropertyDescription("How many attempts failed.") @Nullable Integer failures,
    @JsonPropertyDescription("Flink's id of the job that it is of.") @Nullable String jobId,
    @JsonPropertyDescription("The operation in flight, or the last one.")
        @Nullable OperationStatus operation,
    @JsonPropertyDescription("Newest generation the controller has looked at.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Ready, Progressing and Stalled.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Condition> conditions)
    implements FlinkStateSnapshotStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final FlinkStateSnapshotStatus EMPTY =
      new FlinkStateSnapshotStatus(
          null, null, null, null, null, null, null, null, null, null, List.of());

  public FlinkStateSnapshotStatus {
    conditions = Json.copyOrEmpty(conditions);
  }

  /** Its state; nothing was triggered yet where it does not say. */
  public SnapshotState stateOrPending() {
    return Objects.requireNonNullElse(state, SnapshotState.TRIGGER_PENDING);
  }

  /** How many attempts failed. */
  public int failureCount() {
    return Objects.requireNonNullElse(failures, 0);
  }

  /**
   * Whether the trigger may be in progress in Flink. Apache's operator does not record the job:
   * what it has triggered is not followed.
   */
  @JsonIgnore
  public boolean isInFlight() {
    return state == SnapshotState.IN_PROGRESS && triggerId != null && jobId != null;
  }

  /** When the newest attempt was triggered; the epoch where that is not known. */
  public Instant triggeredAt() {
    return WrittenTime.read(triggerTimestamp).orElse(Instant.EPOCH);
  }

  /** The workflow's fields but its operation, with what they are where nothing is said. */
  public FlinkStateSnapshotStatus attempts() {
    return withState(stateOrPending())
        .withFailures(failureCount())
        .withOperation(null)
        .withObservedGeneration(null)
        .withConditions(List.of());
  }

  /** The condition of that type, if it was ever set. */
  public Optional<Condition> condition(String type) {
    return conditions.stream().filter(c -> type.equals(c.getType())).findFirst();
  }
}
