package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The job to take a snapshot of. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FoundJob.Up.class, name = "Up"),
  @JsonSubTypes.Type(value = FoundJob.None.class, name = "None"),
  @JsonSubTypes.Type(value = FoundJob.Replaced.class, name = "Replaced"),
  @JsonSubTypes.Type(value = FoundJob.NotUp.class, name = "NotUp"),
  @JsonSubTypes.Type(value = FoundJob.Held.class, name = "Held"),
  @JsonSubTypes.Type(value = FoundJob.Unfit.class, name = "Unfit")
})
public sealed interface FoundJob {

  /**
   * Every task of it is up.
   *
   * @param jobId its id, 32 hex digits
   * @param timeoutMs how long Flink lets a savepoint or checkpoint of it take, in ms
   */
  record Up(String jobId, long timeoutMs) implements FoundJob {}

  /**
   * There is none, for good: what runs it is gone or suspended, or it has ended.
   *
   * @param why in words
   */
  record None(String why) implements FoundJob {}

  /**
   * Another one was put in the place of that which the snapshot was triggered on.
   *
   * @param why in words
   * @param failed whether it was replaced because it had failed
   */
  record Replaced(String why, boolean failed) implements FoundJob {}

  /**
   * It did not come up in time.
   *
   * @param why in words
   */
  record NotUp(String why) implements FoundJob {}

  /**
   * It could not be told in time whether it is up, which is not the job's fault.
   *
   * @param reason one word: {@code JobManagerSilent}, or {@code Blocked} by an operation
   * @param why in words
   */
  record Held(String reason, String why) implements FoundJob {}

  /**
   * No such snapshot can be taken of it, however often it is tried.
   *
   * @param why in words
   */
  record Unfit(String why) implements FoundJob {}
}
