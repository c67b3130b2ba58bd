package dev.sluice.controller.operation;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;

/** Describes a failed call to Temporal; the text is the same with each attempt. */
public final class TemporalFailure {

  private TemporalFailure() {}

  /**
   * Whether no answer came, so that nothing is known of the call, and none will come for others.
   */
  static boolean isSilence(Throwable failure) {
    return status(failure)
        .filter(
            status ->
                switch (status.getCode()) {
                  case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> true;
                  default -> false;
                })
        .isPresent();
  }

  public static String describe(String address, Throwable failure) {
    return status(failure)
        .map(status -> describe(address, status))
        .orElseGet(() -> unknown(address, failure));
  }

  private static Optional<Status> status(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof StatusRuntimeException grpc) {
        return Optional.of(grpc.getStatus());
      }
    }
    return Optional.empty();
  }

  private static String unknown(String address, Throwable failure) {
    return "The call to Temporal at "
        + address
        + " failed ("
        + failure.getClass().getSimpleName()
        + "); running jobs are not affected, and the call is tried again";
  }

  private static String describe(String address, Status status) {
    String text =
        switch (status.getCode()) {
          // the descriptions of these hold times and addresses that change
          case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED ->
              "Temporal at " + address + " does not answer";
          default ->
              "Temporal at "
                  + address
                  + " refused the call: "
                  + status.getCode()
                  + (status.getDescription() == null ? "" : " " + status.getDescription());
        };
    return text + "; running jobs are not affected, and the call is tried again";
  }
}
