package dev.sluice.activities.flink;

/** What became of a savepoint, or of a stop with savepoint. */
public sealed interface SavepointOperation {

  record InProgress() implements SavepointOperation {}

  /**
   * Taken.
   *
   * @param location the path to restore from, a URI such as {@code s3://bucket/savepoint-12ab}
   */
  record Completed(String location) implements SavepointOperation {}

  /** Not taken; the job was left as it was. */
  record Failed(FlinkCause cause) implements SavepointOperation {}

  /**
   * The JobManager knows no such operation: it was never triggered there, or forgotten with the
   * JobManager's memory. It may well have been taken: look at the job and the target directory.
   */
  record Unknown() implements SavepointOperation {}
}
