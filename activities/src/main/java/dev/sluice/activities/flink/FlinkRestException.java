package dev.sluice.activities.flink;

import org.jspecify.annotations.Nullable;

/**
 * A call to Flink that gave no usable answer. The message is one line, with the cluster, the call
 * and Flink's own words shortened, and without anything that looks like a credential.
 */
public abstract sealed class FlinkRestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private FlinkRestException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * No connection, no answer in time, or a 5xx: whether the call had an effect is unknown. Look,
   * then try again.
   */
  public static final class Unreachable extends FlinkRestException {
    private static final long serialVersionUID = 1L;

    public Unreachable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  public static final class NotFound extends FlinkRestException {
    private static final long serialVersionUID = 1L;

    public NotFound(String message) {
      super(message, null);
    }
  }

  /** Flink refused the request; sending it again gives the same answer. */
  public static final class Rejected extends FlinkRestException {
    private static final long serialVersionUID = 1L;

    public Rejected(String message) {
      super(message, null);
    }
  }

  /**
   * Something answered, but not as Flink does: another program behind the Service, a proxy's error
   * page, an answer longer than allowed. Nothing may be concluded about the job.
   */
  public static final class MalformedAnswer extends FlinkRestException {
    private static final long serialVersionUID = 1L;

    public MalformedAnswer(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
