package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import org.jspecify.annotations.Nullable;

/** What was last seen of one version in mode BlueGreen. Written by the controller only. */
@JsonRecord
public record VersionStatus(
    @JsonPropertyDescription("blue or green.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Colour appVersion,
    @JsonPropertyDescription("Hash of the version: what tearDownVersionHash names.")
        @Nullable String versionHash,
    @JsonPropertyDescription("What was last seen of its cluster.")
        @Nullable ClusterStatus clusterStatus,
    @JsonPropertyDescription("What was last seen of its job.")
        @Nullable ApplicationJobStatus jobStatus) {}
