package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** What became of a job that was submitted. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = VersionJob.Up.class, name = "Up"),
  @JsonSubTypes.Type(value = VersionJob.Finished.class, name = "Finished"),
  @JsonSubTypes.Type(value = VersionJob.Failed.class, name = "Failed"),
  @JsonSubTypes.Type(value = VersionJob.NotUp.class, name = "NotUp"),
  @JsonSubTypes.Type(value = VersionJob.Lost.class, name = "Lost"),
  @JsonSubTypes.Type(value = VersionJob.Unknown.class, name = "Unknown")
})
public sealed interface VersionJob {

  /**
   * Every task runs or has finished, and it was restored from what it was given.
   *
   * @param tasks {@code 3 running + 1 finished of 4 tasks}
   * @param restoredFrom what it says it was restored from; null when it started empty
   */
  record Up(String tasks, @Nullable String restoredFrom) implements VersionJob {}

  /**
   * It has FINISHED: it is as good as up.
   *
   * @param why in words
   */
  record Finished(String why) implements VersionJob {}

  /**
   * It cannot come up: it is FAILED or CANCELED, or was restored from something else.
   *
   * @param reason {@code JobFailed} or {@code RestoredElsewhere}
   * @param why in words, with the root cause
   */
  record Failed(String reason, String why) implements VersionJob {}

  /**
   * It is not up at the deadline, by Flink's own times: a worker that was away does not count
   * against it.
   *
   * @param reason {@code ClusterNotReady}, {@code ImagePullFailed}, or {@code PodFailed}
   * @param why in words
   */
  record NotUp(String reason, String why) implements VersionJob {}

  /**
   * Its JobManager answers and does not know it, after it was seen or submitted.
   *
   * @param why in words
   */
  record Lost(String why) implements VersionJob {}

  /**
   * Its JobManager does not answer until the deadline.
   *
   * @param why in words
   */
  record Unknown(String why) implements VersionJob {}
}
