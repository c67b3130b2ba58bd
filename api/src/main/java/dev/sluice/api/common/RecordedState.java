package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The state that an operation took from a job before it replaced it, and the job that is started
 * from it. Both are written together, before the old cluster is deleted, so that whoever goes on
 * later can determine whether the new job may have progressed beyond this state. Written by the
 * workflow only.
 */
@JsonRecord
@WithMethods
public record RecordedState(
    @JsonPropertyDescription("Savepoint, Checkpoint, HaMetadata or Empty.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Type type,
    @JsonPropertyDescription("Where the savepoint or checkpoint is.") @Nullable String path,
    @JsonPropertyDescription("Why the job starts without state.") @Nullable String reason,
    @JsonPropertyDescription("Flink job id of the job that the state was taken from.")
        @Nullable String takenFrom,
    @JsonPropertyDescription("Flink job id of the job that is started from the state.")
        @Nullable String startedJob,
    @JsonPropertyDescription(
            "Flink job id of a job that was started from the same state before, and is replaced"
                + " because it has not progressed.")
        @Nullable String replacedJob,
    @JsonPropertyDescription(
            "What the job of the last stable spec left, where this state was taken from a later job"
                + " that was never stable.")
        @Nullable Left leftByStable,
    @JsonPropertyDescription("savepointRedeployNonce of the spec whose job is started from it.")
        @Nullable Long redeployNonce,
    @JsonPropertyDescription(
            "Flink job id of a job that was started from the state and whose tasks were all up,"
                + " while the operation waits until it is stable: it may have progressed since.")
        @Nullable String upJob,
    @JsonPropertyDescription(
            "The spec named the state for a first start: no job of the resource has made it. Absent"
                + " where that is not so.")
        @Nullable Boolean initial,
    @JsonPropertyDescription(
            "The operation that is begun has recorded nothing yet: this is what the job before it,"
                + " which may still run, was started from. Absent where that is not so.")
        @Nullable Boolean ofRunningJob,
    @JsonPropertyDescription(
            "With ofRunningJob: Flink job id of that job, which startedJob does not say then.")
        @Nullable String runningJob)
    implements RecordedStateBuilder.With {

  /** The job is the first that is started from the state. */
  public RecordedState(
      @Nullable Type type,
      @Nullable String path,
      @Nullable String reason,
      @Nullable String takenFrom,
      @Nullable String startedJob) {
    this(type, path, reason, takenFrom, startedJob, null, null, null, null, null, null, null);
  }

  /**
   * The same, as what the job was started from that an operation has not stopped yet, or not. It
   * has no {@link #startedJob} then: a definition or a worker that is older, and loses {@link
   * #ofRunningJob}, must not take it for what an operation has recorded.
   */
  public RecordedState withOfRunningJob(boolean is) {
    return is == belongsToRunningJob()
        ? this
        : withStartedJob(is ? null : runningJob)
            .withRunningJob(is ? startedJob : null)
            .withOfRunningJob(is ? Boolean.TRUE : null);
  }

  /** Whether no operation has recorded it that is begun: only its files are still needed. */
  public boolean belongsToRunningJob() {
    return Boolean.TRUE.equals(ofRunningJob);
  }

  /** A state alone, of no job that would be started from it. */
  @JsonRecord
  public record Left(
      @JsonPropertyDescription("Savepoint, Checkpoint or Empty.")
          @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
          @Nullable Type type,
      @JsonPropertyDescription("Where the savepoint or checkpoint is.") @Nullable String path,
      @JsonPropertyDescription("Why there is no state.") @Nullable String reason) {}

  /** What kind of state it is. */
  public enum Type {
    /** A savepoint, at {@link #path}. */
    SAVEPOINT("Savepoint"),
    /** A retained checkpoint, at {@link #path}. */
    CHECKPOINT("Checkpoint"),
    /** Flink's high-availability metadata of {@link #takenFrom}. */
    HA_METADATA("HaMetadata"),
    /** The job starts without state, for {@link #reason}. */
    EMPTY("Empty");

    private final String wire;

    Type(String wire) {
      this.wire = wire;
    }

    /** The spelling in manifests and in JSON. */
    @JsonValue
    public String wire() {
      return wire;
    }
  }
}
