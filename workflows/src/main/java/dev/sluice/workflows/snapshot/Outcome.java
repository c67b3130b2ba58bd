package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** The end of one attempt to take a snapshot. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Outcome.Taken.class, name = "Taken"),
  @JsonSubTypes.Type(value = Outcome.Failed.class, name = "Failed"),
  @JsonSubTypes.Type(value = Outcome.Lost.class, name = "Lost")
})
public sealed interface Outcome {

  /**
   * Flink has completed it.
   *
   * @param path where it is; null for a checkpoint whose path Flink does not return
   * @param how one line: {@code savepoint in 0.4 s}
   */
  record Taken(@Nullable String path, String how) implements Outcome {}

  /**
   * It was not taken.
   *
   * @param why in words
   * @param counts false where an operation stopped the job: the attempt is no failure
   */
  record Failed(String why, boolean counts) implements Outcome {}

  /**
   * Flink has forgotten the trigger, as after a restart of the JobManager: it may have been
   * completed. Counts as a failed attempt.
   *
   * @param why in words, with the directory in which files may be left
   */
  record Lost(String why) implements Outcome {}
}
