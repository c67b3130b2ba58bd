package dev.sluice.activities.flink;

/** What became of a savepoint's disposal. */
public sealed interface DisposalOperation {

  /** Still being deleted. */
  record InProgress() implements DisposalOperation {}

  /** Deleted. */
  record Completed() implements DisposalOperation {}

  /** Not deleted; {@code FileNotFoundException} when there was nothing to delete. */
  record Failed(FlinkCause cause) implements DisposalOperation {}

  /** Never triggered there, or forgotten with the JobManager's memory. */
  record Unknown() implements DisposalOperation {}
}
