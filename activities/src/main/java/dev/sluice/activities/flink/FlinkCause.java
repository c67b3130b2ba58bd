package dev.sluice.activities.flink;

/**
 * A Flink stack trace, made short enough to read: the first error that is not just a wrapper, and
 * the root cause where that says more.
 *
 * @param type simple class name of the first meaningful error, {@code CheckpointException}
 * @param message one line, bounded, without credentials
 */
public record FlinkCause(String type, String message) {

  /** One line for people. */
  public String summary() {
    return message.isEmpty() ? type : type + ": " + message;
  }
}
