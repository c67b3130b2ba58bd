package dev.sluice.activities.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.operation.FailureType;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesFailureTest {

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 405, 422})
  void whatKubernetesRefusesIsNotTriedAgain(int code) {
    ApplicationFailure failure = of(code, "exceeded quota: small");

    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
    assertThat(failure.getOriginalMessage())
        .isEqualTo("cannot apply Deployment orders: exceeded quota: small");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 409, 429, 500, 503})
  void whatPassesIsTriedAgain(int code) {
    ApplicationFailure failure = of(code, "later");

    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(failure.getType()).isEqualTo(KubernetesFailure.UNAVAILABLE);
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
