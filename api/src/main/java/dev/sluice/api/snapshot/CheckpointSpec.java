package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A checkpoint to take: always a full one, as in Apache's operator. Flink itself refuses to be
 * asked for an incremental one (FLINK-33723).
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record CheckpointSpec() {}
