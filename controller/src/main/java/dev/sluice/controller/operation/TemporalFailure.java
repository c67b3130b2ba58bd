package dev.sluice.controller.operation;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Describes a failed call to Temporal; the text is the same with each attempt. */
final class TemporalFailure {

  private TemporalFailure() {}

  static String describe(String address, Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof StatusRuntimeException grpc) {
        return describe(address, grpc.getStatus());
      }
    }
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
