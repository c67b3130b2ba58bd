package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What a pod asks for, in the older style {@code resource}; {@code resources} is the newer one. */
@JsonRecord
public record Resource(
    @JsonPropertyDescription("CPU cores of the pod, for example 0.5.") @Nullable Double cpu,
    @JsonPropertyDescription(
            "Memory of the pod, in Flink spelling (1024m, 1g: powers of 1024) or Kubernetes spelling (1Gi).")
        @Nullable String memory,
    @JsonPropertyDescription("Ephemeral storage of the pod, for example 2G.")
        @Nullable String ephemeralStorage) {}
