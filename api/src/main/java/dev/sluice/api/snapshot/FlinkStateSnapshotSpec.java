package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.SnapshotType;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What to take, and of which job. It cannot be changed. */
@ValidationRule(
    value = FlinkStateSnapshotSpec.ONE_OF,
    message = FlinkStateSnapshotSpec.ONE_OF_MESSAGE)
@ValidationRule(
    value = FlinkStateSnapshotSpec.REFERENCE,
    message = FlinkStateSnapshotSpec.REFERENCE_MESSAGE)
@ValidationRule(value = "self == oldSelf", message = "cannot be changed: make another resource")
@JsonRecord
public record FlinkStateSnapshotSpec(
    @JsonPropertyDescription("The job; not needed for a savepoint that already exists.")
        @Nullable JobReference jobReference,
    @JsonPropertyDescription("A savepoint; either this or checkpoint.")
        @Nullable SavepointSpec savepoint,
    @JsonPropertyDescription("A checkpoint; either this or savepoint.")
        @Nullable CheckpointSpec checkpoint,
    @JsonPropertyDescription(
            "How many attempts may fail until it is given up: 0 for none, -1 (default) for any number.")
        @Min(FlinkStateSnapshotSpec.UNLIMITED)
        @Nullable Integer backoffLimit) {

  static final String ONE_OF = "has(self.savepoint) != has(self.checkpoint)";
  static final String ONE_OF_MESSAGE = "exactly one of savepoint and checkpoint must be given";
  static final String REFERENCE =
      "has(self.jobReference)"
          + " || (has(self.savepoint) && self.savepoint.?alreadyExists.orValue(false))";
  static final String REFERENCE_MESSAGE =
      "jobReference must be given, unless savepoint.alreadyExists is true";

  /** Says nothing. */
  public static final FlinkStateSnapshotSpec EMPTY =
      new FlinkStateSnapshotSpec(null, null, null, null);

  /** Any number of attempts may fail. */
  public static final int UNLIMITED = -1;

  /** What is taken. */
  public SnapshotType type() {
    return savepoint == null ? SnapshotType.CHECKPOINT : SnapshotType.SAVEPOINT;
  }

  /** How many attempts may fail; {@link #UNLIMITED} for any number. */
  public int failuresAllowed() {
    return Objects.requireNonNullElse(backoffLimit, UNLIMITED);
  }

  /** How a savepoint is written, or the kind of a checkpoint, in one word. */
  public String formatType() {
    return savepoint == null
        ? Objects.requireNonNullElseGet(checkpoint, CheckpointSpec::new).typeOrFull().name()
        : savepoint.format().name();
  }

  /**
   * Whether files are deleted with the resource. Never those of a checkpoint, which are Flink's.
   */
  @JsonIgnore
  public boolean isDisposedWithResource() {
    return savepoint != null && savepoint.isDisposed();
  }
}
