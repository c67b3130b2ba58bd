package dev.sluice.activities.kubernetes;

import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a failed call to Kubernetes means for an activity: not available now, refused for a reason
 * that may pass, or refused permanently.
 */
public final class KubernetesFailure {

  /** Kubernetes did not answer, or asked to come back later; Temporal retries. */
  public static final String UNAVAILABLE = "KubernetesUnavailable";

  // 401 passes when a rotated token is read again
  private static final Set<Integer> PASSES = Set.of(401, 408, 409, 410, 429);

  // a server-side apply refuses a list that has one key twice with a plain 500
  private static final String UNTYPED = "failed to create typed patch object";

  private KubernetesFailure() {}

  /**
   * Runs the call and turns its failure into one that Temporal understands.
   *
   * @param what as text: {@code apply ConfigMap default/flink-config-orders}
   * @throws ApplicationFailure {@link #UNAVAILABLE}, retryable; {@code Refused}, retryable (quota,
   *     admission webhooks and policies, missing rights) or not (what is sent can never be taken)
   */
  public static <T> T translate(String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (KubernetesClientException failed) {
      throw of(what, failed);
    }
  }

  /** As {@link #translate(String, Supplier)}, without a result. */
  public static void translate(String what, Runnable call) {
    translate(
        what,
        () -> {
          call.run();
          return true;
        });
  }

  static ApplicationFailure of(String what, KubernetesClientException failed) {
    String message = "cannot " + what + ": " + words(failed);
    int code = failed.getCode();
    if (isFinal(failed)) {
      return ApplicationFailure.newNonRetryableFailure(message, FailureType.REFUSED);
    }
    boolean refused = code >= 400 && code < 500 && !PASSES.contains(code);
    return ApplicationFailure.newFailure(message, refused ? FailureType.REFUSED : UNAVAILABLE);
  }

  private static boolean isFinal(KubernetesClientException failed) {
    return switch (failed.getCode()) {
      case 400, 422 -> !isAdmission(failed);
      case 404 -> isUnknownType(failed);
      case 405, 406, 413, 415 -> true;
      case 500 -> words(failed).contains(UNTYPED);
      default -> false;
    };
  }

  /** A webhook answers with whatever code it likes, 400 if it names none; a policy with 422. */
  private static boolean isAdmission(KubernetesClientException failed) {
    String words = words(failed);
    return Stream.of("admission webhook", "denied request", "denied the request")
        .anyMatch(words::contains);
  }

  /** The URL is not served: the CustomResourceDefinition is missing. */
  private static boolean isUnknownType(KubernetesClientException failed) {
    Status status = failed.getStatus();
    return status == null
        || status.getDetails() == null
        || Objects.requireNonNullElse(status.getDetails().getName(), "").isEmpty();
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
