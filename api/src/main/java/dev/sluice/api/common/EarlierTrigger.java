package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What was triggered and given up, and Flink may complete, or have completed, all the same. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record EarlierTrigger(
    @JsonPropertyDescription("Name of the snapshot; absent for an attempt of the same one.")
        @Nullable String name,
    @Nullable String triggerId,
    @Nullable String triggerTimestamp,
    @Nullable String jobId) {

  /** Of more the oldest are forgotten. */
  public static final int MOST = 10;
}
