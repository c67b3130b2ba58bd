package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "a-b", "a1", "flink-config-volume"})
  void aDnsLabelIsLowerCaseLettersDigitsAndInnerHyphens(String text) {
    assertThat(KubernetesNames.isDnsLabel(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "a.b", "a_b", "-a", "a-", "a b", "ä", "a\n", "a/b", "*"})
  void anythingElseIsNone(String text) {
    assertThat(KubernetesNames.isDnsLabel(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a.b", "1.2.3", "a-b.c-d", "flink.apache.org"})
  void aSubdomainIsLabelsBetweenDots(String text) {
    assertThat(KubernetesNames.isDnsSubdomain(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a..b", "a.-b", "A.b", "../../etc/passwd"})
  void dotsStandBetweenLabelsOnly(String text) {
    assertThat(KubernetesNames.isDnsSubdomain(text)).isFalse();
  }

  @Test
  void namesHaveLimits() {
    assertThat(KubernetesNames.isDnsLabel("a".repeat(63))).isTrue();
    assertThat(KubernetesNames.isDnsLabel("a".repeat(64))).isFalse();
    assertThat(KubernetesNames.isDnsSubdomain("a".repeat(253))).isTrue();
    assertThat(KubernetesNames.isDnsSubdomain("a".repeat(254))).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "'', true",
    "shop, true",
    "Shop-1_2.3, true",
    "-shop, false",
    "shop_, false",
    "a b, false",
    "a/b, false",
    "ä, false",
  })
  void aLabelValueMayBeEmpty(String text, boolean valid) {
    assertThat(KubernetesNames.isLabelValue(text)).isEqualTo(valid);
  }

  @Test
  void aLabelValueHasAtMost63Characters() {
    assertThat(KubernetesNames.isLabelValue("a".repeat(63))).isTrue();
    assertThat(KubernetesNames.isLabelValue("a".repeat(64))).isFalse();
  }
}
