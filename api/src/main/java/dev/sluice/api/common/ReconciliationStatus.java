package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * Which spec is deployed or being deployed, and which was last stable. Written by the workflow
 * only.
 */
@JsonRecord
@WithMethods
public record ReconciliationStatus(
    @JsonPropertyDescription("When lastReconciledSpec was last written, milliseconds since 1970.")
        @Nullable Long reconciliationTimestamp,
    @JsonPropertyDescription("The spec deployed, or being deployed, as JSON.")
        @Nullable String lastReconciledSpec,
    @JsonPropertyDescription("The last spec seen running, as JSON: what a rollback returns to.")
        @Nullable String lastStableSpec,
    @JsonPropertyDescription(
            "Whether lastReconciledSpec is deployed, being deployed or rolled back.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable ReconciliationState state)
    implements ReconciliationStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final ReconciliationStatus EMPTY = new ReconciliationStatus(null, null, null, null);

  /** Whether an operation was begun and not finished, also when its run is lost. */
  @JsonIgnore
  public boolean isBegun() {
    return state != null && state.isBegun();
  }
}
