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

  public String summary() {
    return message.isEmpty() ? type : type + ": " + message;
  }
}
