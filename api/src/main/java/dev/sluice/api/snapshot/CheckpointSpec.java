package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.JsonRecord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A checkpoint to take. The field is that of FLIP-446. */
@JsonRecord
public record CheckpointSpec(
    @JsonPropertyDescription(
            "FULL (default), CONFIGURED, or INCREMENTAL, which only Flink 1.17 and 1.18 take.")
        @Nullable CheckpointType checkpointType) {

  /** A full one. */
  public CheckpointSpec() {
    this(null);
  }

  /** Which kind Flink is asked for. */
  public CheckpointType typeOrFull() {
    return Objects.requireNonNullElse(checkpointType, CheckpointType.FULL);
  }
}
