package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceAccountRulesTest {

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " "})
  void itMustBeGiven(String name) {
    assertThat(Specs.messages(Specs.VALID.withServiceAccount(name)))
        .containsExactly(
            "spec.serviceAccount: must be given. Set it to a service account that may create pods"
                + " and ConfigMaps");
  }

  @ParameterizedTest
  @ValueSource(strings = {"flink", "f", "team-a.flink", "0"})
  void aNameThatKubernetesTakesIsFine(String name) {
    assertThat(Specs.messages(Specs.VALID.withServiceAccount(name))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../../etc/passwd", "Flink", "flink ", "-flink", "flink-", "a..b", "a_b", "日本"})
  void aNameThatKubernetesWouldRefuseIsRefusedAtOnce(String name) {
    assertThat(Specs.messages(Specs.VALID.withServiceAccount(name)))
        .containsExactly(
            "spec.serviceAccount: must be the name of a service account: lower-case letters,"
                + " digits, '-' and '.', at most 253 characters, but is '"
                + name
                + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.service-account",
        "kubernetes.jobmanager.service-account",
        "kubernetes.taskmanager.service-account",
      })
  void thoseInTheConfigurationAreCheckedToo(String key) {
    assertThat(Specs.paths(Specs.configured(key, "../x")))
        .containsExactly("spec.flinkConfiguration." + key);
  }
}
