package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** What became of an attempt. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Outcome.Taken.class, name = "Taken"),
  @JsonSubTypes.Type(value = Outcome.Failed.class, name = "Failed"),
  @JsonSubTypes.Type(value = Outcome.NoJob.class, name = "NoJob"),
  @JsonSubTypes.Type(value = Outcome.Unknown.class, name = "Unknown")
})
public sealed interface Outcome {

  /**
   * It was taken.
   *
   * @param path where it is; null when Flink does not tell
   * @param how one line: {@code savepoint in 0.4 s}
   */
  record Taken(@Nullable String path, String how) implements Outcome {}

  /**
   * Flink says that it was not taken, or has lost it: nothing of it is in progress any more.
   *
   * @param why in words
   * @param counts whether it is a failed attempt: not where its job was stopped meanwhile
   * @param inDoubt whether it was lost: it may have been completed before
   */
  record Failed(String why, boolean counts, boolean inDoubt) implements Outcome {

    /** Flink says so. */
    public Failed(String why, boolean counts) {
      this(why, counts, false);
    }
  }

  /**
   * What became of it cannot be found out: its JobManager is gone, or does not know of it.
   *
   * @param why in words
   */
  record NoJob(String why) implements Outcome {}

  /**
   * Flink did not tell in time; it may still be in progress.
   *
   * @param why in words
   */
  record Unknown(String why) implements Outcome {}
}
