package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailedCreateAdviceTest {

  /** In the words of the API server. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pods \"o-1\" is forbidden: exceeded quota: small, requested: cpu=1, used: cpu=2, limited: cpu=2 | Raise the quota",
        "pods \"o-1\" is forbidden: failed quota: small: must specify limits.cpu for: flink-main-container | Set the resources",
        "pods \"o-1\" is forbidden: error looking up service account default/flink: serviceaccount \"flink\" not found | spec.serviceAccount",
        "pods \"o-1\" is forbidden: violates PodSecurity \"restricted:latest\": allowPrivilegeEscalation != false | securityContext",
        "pods \"o-1\" is forbidden: [maximum cpu usage per Container is 500m, but limit is 1] | as little as the LimitRange",
        "pods \"o-1\" is forbidden: minimum memory usage per Container is 1Gi, but request is 512Mi | as much as the LimitRange",
        "pods \"o-1\" is forbidden: no PriorityClass with name urgent was found | PriorityClass",
        "admission webhook \"policy.example.com\" denied the request: maximum one label | as that webhook wants",
        "Internal error occurred: failed calling webhook \"policy.example.com\": connection refused | Bring that webhook back",
        "pods is forbidden: User \"x\" cannot create resource \"pods\" in API group \"\" | Grant the right",
        "the server is on strike | Remove what refuses it",
      })
  void the_advice_fits_what_refuses_the_pod(String message, String advice) {
    assertThat(FailedCreateAdvice.of(message)).contains(advice).endsWith(".");
  }
}
