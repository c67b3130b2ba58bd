package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.workflows.model.StateRef;

/** What became of the cancellation of the job of a version. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = CancelOutcome.Ended.class, name = "Ended"),
  @JsonSubTypes.Type(value = CancelOutcome.Left.class, name = "Left"),
  @JsonSubTypes.Type(value = CancelOutcome.NoJob.class, name = "NoJob"),
  @JsonSubTypes.Type(value = CancelOutcome.Unknown.class, name = "Unknown")
})
public sealed interface CancelOutcome {

  /**
   * The job has ended, by Flink's own word.
   *
   * @param left the newest state that it left and Flink keeps; {@link StateRef.Unknown} where there
   *     may be one and it is not kept or not told
   * @param how one line
   */
  record Ended(StateRef left, String how) implements CancelOutcome {}

  /**
   * It was not cancelled, because what was asked for is not so: its newest checkpoint is not kept,
   * too old, or not there. It runs on.
   *
   * @param why in words
   */
  record Left(String why) implements CancelOutcome {}

  /**
   * Its JobManager answers and does not know the job, or there is no cluster any more.
   *
   * @param why in words
   */
  record NoJob(String why) implements CancelOutcome {}

  /**
   * It has not ended at the deadline, or its JobManager does not answer. It may end yet.
   *
   * @param why in words
   */
  record Unknown(String why) implements CancelOutcome {}
}
