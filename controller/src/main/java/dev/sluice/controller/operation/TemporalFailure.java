package dev.sluice.controller.operation;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A failed call to Temporal; {@link #why} is the same with each attempt. */
public final class TemporalFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private TemporalFailure(@Nullable String why, @Nullable Throwable cause) {
    super(why, cause);
  }

  /** Describes why a call failed. */
  public static TemporalFailure of(String address, Throwable failure) {
    return new TemporalFailure(
        describe(address, status(failure).orElse(null), failure)
            + "; running jobs are not affected, and the call is tried again",
        failure);
  }

  /** Too many calls are under way. */
  static TemporalFailure notMade() {
    return new TemporalFailure(null, null);
  }

  /** What people are to know, without a full stop; null where the call was only postponed. */
  public @Nullable String why() {
    return getMessage();
  }

  private static boolean isSilence(Status status) {
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> true;
      default -> false;
    };
  }

  private static Optional<Status> status(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof StatusRuntimeException grpc) {
        return Optional.of(grpc.getStatus());
      }
    }
    return Optional.empty();
  }

  private static String describe(String address, @Nullable Status status, Throwable failure) {
    if (status == null) {
      return "The call to Temporal at %s failed (%s)"
          .formatted(address, failure.getClass().getSimpleName());
    }
    if (isSilence(status)) {
      // its description holds times and addresses that change
      return "Temporal at " + address + " does not answer";
    }
    String description = status.getDescription();
    return "Temporal at %s refused the call: %s%s"
        .formatted(address, status.getCode(), description == null ? "" : " " + description);
  }
}
