package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What became of the submission of a job. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SubmitOutcome.Submitted.class, name = "Submitted"),
  @JsonSubTypes.Type(value = SubmitOutcome.Refused.class, name = "Refused"),
  @JsonSubTypes.Type(value = SubmitOutcome.Unknown.class, name = "Unknown")
})
public sealed interface SubmitOutcome {

  /**
   * Flink knows the job by the id of the request, now or since an earlier attempt.
   *
   * @param how one line
   */
  record Submitted(String how) implements SubmitOutcome {}

  /**
   * Flink refuses it: the jar, the program or the savepoint. Nothing of it runs. Another attempt
   * needs another id.
   *
   * @param why in words
   */
  record Refused(String why) implements SubmitOutcome {}

  /**
   * Whether Flink has taken it cannot be told until the deadline. Try again under the same id.
   *
   * @param why in words
   */
  record Unknown(String why) implements SubmitOutcome {}
}
