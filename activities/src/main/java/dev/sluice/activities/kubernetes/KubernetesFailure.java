package dev.sluice.activities.kubernetes;

import dev.sluice.workflows.operation.FailureType;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.util.function.Supplier;

/**
 * What a failed call to Kubernetes means for an activity: refused for good, or worth another try.
 */
public final class KubernetesFailure {

  /** Kubernetes did not answer, or asked to come back later; the engine tries again. */
  public static final String UNAVAILABLE = "KubernetesUnavailable";

  private KubernetesFailure() {}

  /**
   * Runs the call and turns its failure into one that Temporal understands.
   *
   * @param what for people: {@code apply ConfigMap default/flink-config-orders}
   * @throws ApplicationFailure {@code Refused}, not retryable, or {@link #UNAVAILABLE}, retryable
   */
  public static <T> T told(String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (KubernetesClientException failed) {
      throw of(what, failed);
    }
  }

  /** As {@link #told(String, Supplier)}, without a result. */
  public static void told(String what, Runnable call) {
    told(
        what,
        () -> {
          call.run();
          return true;
        });
  }

  static ApplicationFailure of(String what, KubernetesClientException failed) {
    String message = "cannot " + what + ": " + words(failed);
    return isFinal(failed.getCode())
        ? ApplicationFailure.newNonRetryableFailure(message, FailureType.REFUSED)
        : ApplicationFailure.newFailure(message, UNAVAILABLE);
  }

  // 401 passes when a rotated token is read again, 408, 409 and 429 by themselves
  private static boolean isFinal(int code) {
    return switch (code) {
      case 401, 408, 409, 429 -> false;
      default -> code >= 400 && code < 500;
    };
  }

  private static String words(KubernetesClientException failed) {
    Status status = failed.getStatus();
    if (status != null && status.getMessage() != null) {
      return status.getMessage();
    }
    Throwable cause = failed.getCause();
    return cause == null ? String.valueOf(failed.getMessage()) : failed.getMessage() + ": " + cause;
  }
}
