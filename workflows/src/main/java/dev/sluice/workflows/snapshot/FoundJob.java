package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The job to take a snapshot of. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FoundJob.Up.class, name = "Up"),
  @JsonSubTypes.Type(value = FoundJob.None.class, name = "None")
})
public sealed interface FoundJob {

  /**
   * Every task of it is up, and no operation is at work on it.
   *
   * @param jobId its id, 32 hex digits
   * @param timeoutMs how long Flink lets a savepoint or checkpoint of it take, in ms
   */
  record Up(String jobId, long timeoutMs) implements FoundJob {}

  /**
   * There is none that such a snapshot can be taken of: what runs it is gone, suspended or too old,
   * or the job has ended.
   *
   * @param why in words
   */
  record None(String why) implements FoundJob {}
}
