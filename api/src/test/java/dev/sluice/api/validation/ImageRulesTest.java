package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flink :1.20",
        " flink:1.20",
        "flink:1.20 ",
        "flink:1.20\n",
        "Flink:1.20",
        "flink:",
        "flink:1.20:2",
        "/flink",
        "registry.example.com/",
        "flink@sha256:abc",
      })
  void anImageThatNoRuntimeCanParseIsRefused(String image) {
    assertThat(Specs.paths(Specs.VALID.withImage(image))).containsExactly("spec.image");
  }

  @Test
  void theMessageShowsTheImageAndAnExample() {
    assertThat(Specs.messages(Specs.VALID.withImage("flink :1.20")))
        .containsExactly(
            "spec.image: must be an image such as flink:1.20 or"
                + " registry.example.com/team/job:1.0, but is 'flink :1.20'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void anEmptyImageIsRefused(String image) {
    assertThat(Specs.messages(Specs.VALID.withImage(image)))
        .containsExactly(
            "spec.image: must not be empty. Set it to an image such as flink:1.20, or remove it");
  }

  @Test
  void withoutAnImageFlinksOwnIsUsed() {
    assertThat(Specs.messages(Specs.VALID.withImage(null))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kubernetes.container.image", "kubernetes.container.image.ref"})
  void anImageInTheConfigurationIsCheckedToo(String key) {
    assertThat(Specs.paths(Specs.configured(key, "a b")))
        .containsExactly("spec.flinkConfiguration." + key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Always", "IfNotPresent", "Never"})
  void thePullPoliciesOfKubernetesAreFine(String policy) {
    assertThat(Specs.messages(Specs.VALID.withImagePullPolicy(policy))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "always", "Sometimes"})
  void anotherPullPolicyIsRefused(String policy) {
    assertThat(Specs.messages(Specs.VALID.withImagePullPolicy(policy)))
        .containsExactly(
            "spec.imagePullPolicy: must be Always, IfNotPresent or Never, but is '" + policy + "'");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "regcred | true",
        "regcred;other.example | true",
        "[regcred, other] | true",
        "Regcred | false",
        "regcred;../etc | false",
        "a;'b | false",
      })
  void pullSecretsAreNamesOfSecrets(String secrets, boolean fine) {
    assertThat(
            Specs.messages(Specs.configured("kubernetes.container.image.pull-secrets", secrets))
                .isEmpty())
        .isEqualTo(fine);
  }
}
