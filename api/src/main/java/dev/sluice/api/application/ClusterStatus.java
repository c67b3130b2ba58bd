package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import org.jspecify.annotations.Nullable;

/** What was last seen of a cluster. Written by the controller only. */
@JsonRecord
@WithMethods
public record ClusterStatus(
    @JsonPropertyDescription("Where its web UI is.") @Nullable String clusterOverviewURL,
    @JsonPropertyDescription("Green, Yellow or Red.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable HealthStatus health,
    @JsonPropertyDescription("TaskManagers that are wanted.")
        @Nullable Integer numberOfTaskManagers,
    @JsonPropertyDescription("TaskManagers that answer.") @Nullable Integer healthyTaskManagers,
    @JsonPropertyDescription("Slots of all TaskManagers.") @Nullable Integer numberOfTaskSlots,
    @JsonPropertyDescription("Slots that are free.") @Nullable Integer availableTaskSlots)
    implements ClusterStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final ClusterStatus EMPTY = new ClusterStatus(null, null, null, null, null, null);
}
