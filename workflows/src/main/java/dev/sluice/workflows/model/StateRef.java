package dev.sluice.workflows.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * What a job can be started from. "Empty", "not known" and "given up" are different things: mixing
 * them up is how state gets lost.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = StateRef.Empty.class, name = "Empty"),
  @JsonSubTypes.Type(value = StateRef.Savepoint.class, name = "Savepoint"),
  @JsonSubTypes.Type(value = StateRef.Checkpoint.class, name = "Checkpoint"),
  @JsonSubTypes.Type(value = StateRef.HaMetadata.class, name = "HaMetadata"),
  @JsonSubTypes.Type(value = StateRef.Unknown.class, name = "Unknown")
})
public sealed interface StateRef {

  /**
   * No state, on purpose.
   *
   * @param reason why, in words
   */
  record Empty(String reason) implements StateRef {

    /** The spec says so; one that is applied instead may want what the old job left. */
    public static final Empty STATELESS = new Empty("upgradeMode is stateless");

    /** A session cluster has no job of its own. */
    public static final Empty SESSION = new Empty("a session cluster has no job of its own");
  }

  /**
   * A savepoint.
   *
   * @param path as Flink gave it
   */
  record Savepoint(String path) implements StateRef {}

  /**
   * A retained checkpoint.
   *
   * @param path as Flink gave it
   */
  record Checkpoint(String path) implements StateRef {}

  /**
   * Flink's high-availability metadata, from which the same job goes on under the same job id.
   *
   * @param jobId 32 hex digits
   */
  record HaMetadata(String jobId) implements StateRef {}

  /**
   * There may be state, but which is not known. A job never starts from it.
   *
   * @param reason why it is not known, in words
   */
  record Unknown(String reason) implements StateRef {}

  /** Whether a job may be started from it. */
  @JsonIgnore
  default boolean isKnown() {
    return !(this instanceof Unknown);
  }

  /** The path of the savepoint or checkpoint; null for everything else. */
  @JsonIgnore
  default @Nullable String pathOrNull() {
    if (this instanceof Savepoint savepoint) {
      return savepoint.path();
    }
    return this instanceof Checkpoint checkpoint ? checkpoint.path() : null;
  }

  /** As text: {@code savepoint s3://...}, {@code empty state (upgradeMode is stateless)}. */
  @JsonIgnore
  default String display() {
    if (this instanceof Savepoint savepoint) {
      return "savepoint " + savepoint.path();
    }
    if (this instanceof Checkpoint checkpoint) {
      return "checkpoint " + checkpoint.path();
    }
    if (this instanceof HaMetadata metadata) {
      return "high-availability metadata of job " + metadata.jobId();
    }
    return this instanceof Empty empty
        ? "empty state (" + empty.reason() + ")"
        : "unknown state (" + ((Unknown) this).reason() + ")";
  }
}
