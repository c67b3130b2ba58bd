package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operation in flight, or the last one. Written by the workflow only; the workflow itself is
 * the truth.
 */
@JsonRecord
@WithMethods
public record OperationStatus(
    @JsonPropertyDescription("Deploy, Upgrade, Delete, Rollback, ...")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable OperationType type,
    @JsonPropertyDescription("Running, Blocked, Parked, Succeeded, Aborted or Failed.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable OperationState state,
    @JsonPropertyDescription("The step it is at, or ended at.") @Nullable String step,
    @JsonPropertyDescription("Temporal workflow id: the lane of this resource.")
        @Nullable String workflowId,
    @JsonPropertyDescription("Temporal run id of this operation.") @Nullable String runId,
    @JsonPropertyDescription(
            "Generation of the spec deployed before it; absent when there was none.")
        @Nullable Long fromGeneration,
    @JsonPropertyDescription("Generation of the spec that the operation deploys.")
        @Nullable Long targetGeneration,
    @JsonPropertyDescription("Which attempt at the current step, from 1.")
        @Nullable Integer attempt,
    @JsonPropertyDescription("When the current step began, RFC 3339.") @Nullable String since,
    @JsonPropertyDescription("When the current step times out, RFC 3339.")
        @Nullable String deadline,
    @JsonPropertyDescription("Savepoint taken or restored by this operation.")
        @Nullable String savepoint,
    @JsonPropertyDescription("One word why it is parked, aborted or failed.")
        @Nullable String reason,
    @JsonPropertyDescription("What the operation does, or what went wrong and what to do.")
        @Nullable String message,
    @JsonPropertyDescription(
            "What was decided: what it brings, what becomes of the job, what the next one starts"
                + " from, and why. Stays while the message changes.")
        @Nullable String plan,
    @JsonPropertyDescription("When that was decided, RFC 3339.") @Nullable String plannedAt)
    implements OperationStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final OperationStatus EMPTY =
      new OperationStatus(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);

  /** Whether it was aborted, or has failed. */
  @JsonIgnore
  public boolean hasEndedBadly() {
    return state == OperationState.ABORTED || state == OperationState.FAILED;
  }

  /**
   * The newest generation that it was about. A rollback, and a recovery, end with the old
   * generation as target; the one that is given up is the origin.
   */
  @JsonIgnore
  public long newestGeneration() {
    return Math.max(
        Objects.requireNonNullElse(targetGeneration, 0L),
        Objects.requireNonNullElse(fromGeneration, 0L));
  }

  /**
   * The generation that it has given up, or gives up as a rollback; null where it has reached it,
   * and while another one is open.
   */
  @JsonIgnore
  public @Nullable Long givenUpGeneration() {
    boolean goesBack = type == OperationType.ROLLBACK;
    boolean gaveUp = !isOpen() && (type == OperationType.RECOVER || hasEndedBadly());
    return goesBack || gaveUp ? newestGeneration() : null;
  }

  /** Whether its workflow is still open. */
  @JsonIgnore
  public boolean isOpen() {
    return state != null && state.isOpen();
  }
}
