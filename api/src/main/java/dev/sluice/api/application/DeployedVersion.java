package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import org.jspecify.annotations.Nullable;

/** One version of an application: its cluster, its job, and the spec that both are made from. */
@JsonRecord
@WithMethods
public record DeployedVersion(
    @JsonPropertyDescription("Its hash, as in names and in the label flink-app-hash.")
        @Nullable String hash,
    @JsonPropertyDescription("Its whole hash: what the spec is compared by.")
        @Nullable String fullHash,
    @JsonPropertyDescription(
            "Name of its cluster: <application>-<hash> of the version that it was made for.")
        @Nullable String cluster,
    @JsonPropertyDescription("blue or green; absent in mode Dual.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Colour colour,
    @JsonPropertyDescription("Generation of its spec.") @Nullable Long generation,
    @JsonPropertyDescription("Id of its job in Flink; absent before one is recorded to be started.")
        @Nullable String jobId,
    @JsonPropertyDescription("Its whole spec, as JSON.") @Nullable String spec,
    @JsonPropertyDescription(
            "Lyft's operator has made its cluster; the spec is the one that was found then.")
        @Nullable Boolean adopted)
    implements DeployedVersionBuilder.With {

  /** Whether Lyft's operator has made its cluster. */
  public boolean isAdopted() {
    return Boolean.TRUE.equals(adopted);
  }
}
