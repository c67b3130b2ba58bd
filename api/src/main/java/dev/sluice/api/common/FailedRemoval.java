package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A savepoint of the history whose files could not be deleted, so that the history keeps it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record FailedRemoval(
    @JsonPropertyDescription("Location of the savepoint.") @Nullable String location,
    @JsonPropertyDescription("How many runs in a row have failed.") @Nullable Integer failures,
    @JsonPropertyDescription("When the newest one did.") @Nullable String time) {

  /** How many runs in a row have failed; 0 where that is not told. */
  public int failureCount() {
    return failures == null ? 0 : failures;
  }
}
