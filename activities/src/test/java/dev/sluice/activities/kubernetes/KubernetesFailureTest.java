package dev.sluice.activities.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesFailureTest {

  @ParameterizedTest
  @CsvSource({
    "400, the object provided is unrecognized",
    "405, the server does not allow this method on the requested resource",
    "413, Request entity too large: limit is 3145728",
    "415, the body of the request was in an unknown format",
    "422, Deployment.apps \"orders\" is invalid: spec.replicas: Invalid value: -1"
  })
  void whatCanNeverBeTakenIsNotTriedAgain(int code, String message) {
    ApplicationFailure failure = of(code, message);

    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
    assertThat(failure.getOriginalMessage())
        .isEqualTo("cannot apply Deployment orders: " + message);
  }

  @ParameterizedTest
  @CsvSource({
    "403, deployments.apps \"orders\" is forbidden: exceeded quota: small",
    "403, deployments.apps is forbidden: User \"sluice-worker\" cannot create resource",
    "403, unable to create new content in namespace shop because it is being terminated",
    "400, admission webhook \"images.example.com\" denied the request: unsigned image",
    "422, admission webhook \"images.example.com\" denied the request: unsigned image",
    "422, ValidatingAdmissionPolicy 'no-latest' with binding 'all' denied request: use a tag"
  })
  void whatSomebodyMayAllowLaterIsTriedAgain(int code, String message) {
    ApplicationFailure failure = of(code, message);

    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 401, 408, 409, 410, 429, 500, 502, 503, 504})
  void whatPassesByItselfIsTriedAgain(int code) {
    ApplicationFailure failure = of(code, "failed calling webhook: connection refused");

    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(failure.getType()).isEqualTo(KubernetesFailure.UNAVAILABLE);
  }

  @Test
  void aKindThatTheApiServerDoesNotKnowIsNotTriedAgain() {
    assertThat(of(404, "the server could not find the requested resource").isNonRetryable())
        .isTrue();
  }

  @Test
  void aNameThatIsNotThereMayComeBack() {
    ApplicationFailure failure =
        KubernetesFailure.of(
            "apply Deployment orders",
            new KubernetesClientException(
                "long",
                404,
                new StatusBuilder()
                    .withCode(404)
                    .withMessage("namespaces \"shop\" not found")
                    .withNewDetails()
                    .withName("shop")
                    .endDetails()
                    .build()));

    assertThat(failure.isNonRetryable()).isFalse();
  }

  @Test
  void aLostConnectionIsTriedAgain() {
    ApplicationFailure failure =
        KubernetesFailure.of(
            "read default/orders",
            new KubernetesClientException("get failed", new IOException("connection reset")));

    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(failure.getOriginalMessage()).contains("read default/orders", "connection reset");
  }

  private static ApplicationFailure of(int code, String message) {
    return KubernetesFailure.of(
        "apply Deployment orders",
        new KubernetesClientException(
            "long", code, new StatusBuilder().withCode(code).withMessage(message).build()));
  }
}
