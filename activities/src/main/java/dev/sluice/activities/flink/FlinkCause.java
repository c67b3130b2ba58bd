package dev.sluice.activities.flink;

/**
 * A Flink stack trace, made short enough to read: the first error that is more than a wrapper, and
 * what it was caused by in the end where that says more. Flink's {@code serialized-throwable} is
 * never read: it is Java serialization, of classes that are not here.
 *
 * @param type simple class name of the first meaningful error, {@code CheckpointException}
 * @param message one line, bounded, without credentials
 */
public record FlinkCause(String type, String message) {

  /** One line. */
  public String summary() {
    return message.isEmpty() ? type : type + ": " + message;
  }

  /**
   * Whether the operation failed because the JobManager does not run this job. Flink accepts
   * triggers for any job id and tells only here.
   */
  public boolean jobNotFound() {
    return type.equals("FlinkJobNotFoundException");
  }

  /**
   * Whether the operation failed because the job was not fully running at that moment (restarting,
   * no TaskManager): the job and its earlier state are untouched, and a new trigger may succeed.
   * Both schedulers' wordings: "Not all required tasks are currently running", "The Flink job is
   * currently not executing".
   */
  public boolean tasksNotRunning() {
    return message.contains("Not all required tasks are currently running")
        || message.contains("is currently not executing")
        || message.contains("is not being executed at the moment");
  }
}
