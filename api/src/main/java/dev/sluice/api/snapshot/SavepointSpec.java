package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A savepoint to take, or one that exists. */
@ValidationRule(
    value = "!self.?alreadyExists.orValue(false) || self.?path.orValue('') != ''",
    fieldPath = ".path",
    message = "must say where the savepoint is, because alreadyExists is true")
@ValidationRule(
    value = "self.?formatType.orValue('CANONICAL') != 'UNKNOWN'",
    fieldPath = ".formatType",
    message = "must be CANONICAL or NATIVE")
@JsonRecord
public record SavepointSpec(
    @JsonPropertyDescription(
            "Directory to put it into (default: the job's savepoint directory); with alreadyExists, where it is.")
        @Size(max = 4096)
        @Nullable String path,
    @JsonPropertyDescription("CANONICAL (default) or NATIVE.")
        @Nullable SavepointFormatType formatType,
    @JsonPropertyDescription(
            "Whether Flink deletes its files when this resource is deleted. Default: true.")
        @Nullable Boolean disposeOnDelete,
    @JsonPropertyDescription("Whether it was taken before. Default: false.")
        @Nullable Boolean alreadyExists) {

  /** Whether its files go with the resource. */
  @JsonIgnore
  public boolean isDisposed() {
    return Objects.requireNonNullElse(disposeOnDelete, true);
  }

  /** Whether it was taken before the resource was made. */
  public boolean exists() {
    return Objects.requireNonNullElse(alreadyExists, false);
  }

  /** How to write it. */
  public SavepointFormatType format() {
    return Objects.requireNonNullElse(formatType, SavepointFormatType.CANONICAL);
  }

  /** The directory to put it into, or where it is; null when that is not said. */
  public @Nullable String pathOrNull() {
    return path == null || path.isBlank() ? null : path.trim();
  }
}
