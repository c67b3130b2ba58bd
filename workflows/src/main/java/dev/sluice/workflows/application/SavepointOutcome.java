package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.workflows.model.StateRef;

/** What became of a savepoint of the job of a version. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SavepointOutcome.Taken.class, name = "Taken"),
  @JsonSubTypes.Type(value = SavepointOutcome.Failed.class, name = "Failed"),
  @JsonSubTypes.Type(value = SavepointOutcome.Ended.class, name = "Ended"),
  @JsonSubTypes.Type(value = SavepointOutcome.NoJob.class, name = "NoJob"),
  @JsonSubTypes.Type(value = SavepointOutcome.Unknown.class, name = "Unknown")
})
public sealed interface SavepointOutcome {

  /**
   * It was taken. The job has ended with it, if it was to.
   *
   * @param path as Flink gave it
   * @param how one line: {@code savepoint in 0.4 s}
   */
  record Taken(String path, String how) implements SavepointOutcome {}

  /**
   * Flink says that it failed, and the job was seen running on, after every attempt.
   *
   * @param why in words
   */
  record Failed(String why) implements SavepointOutcome {}

  /**
   * The job had ended before, without this savepoint.
   *
   * @param state FINISHED, FAILED or CANCELED
   * @param left the newest state that it left; empty for one that finished by itself
   * @param why in words
   */
  record Ended(String state, StateRef left, String why) implements SavepointOutcome {}

  /**
   * Its JobManager answers and does not know the job.
   *
   * @param why in words
   */
  record NoJob(String why) implements SavepointOutcome {}

  /**
   * What became of it cannot be told until the deadline: the JobManager does not answer, or the
   * savepoint is in progress. The job may have been stopped.
   *
   * @param why in words
   */
  record Unknown(String why) implements SavepointOutcome {}
}
