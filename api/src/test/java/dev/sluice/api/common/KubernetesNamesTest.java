package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesNamesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // text, is a DNS label, a subdomain, a value of a label
    "flink-config-volume, true, true, true",
    "0, true, true, true",
    "flink.apache.org, false, true, true",
    "a-b.c-d, false, true, true",
    "A, false, false, true",
    "Shop-1_2.3, false, false, true",
    "'', false, false, true",
    "-a, false, false, false",
    "a-, false, false, false",
    "a., false, false, false",
    "a..b, false, false, true",
    "a.-b, false, false, true",
    "a b, false, false, false",
    "ä, false, false, false",
    "../../etc/passwd, false, false, false",
  })
  void eachKindOfNameHasItsCharacters(
      String text, boolean label, boolean subdomain, boolean labelValue) {
    assertThat(KubernetesNames.isDnsLabel(text)).isEqualTo(label);
    assertThat(KubernetesNames.isDnsSubdomain(text)).isEqualTo(subdomain);
    assertThat(KubernetesNames.isLabelValue(text)).isEqualTo(labelValue);
  }

  @Test
  void namesHaveLimits() {
    assertThat(KubernetesNames.isDnsLabel("a".repeat(63))).isTrue();
    assertThat(KubernetesNames.isDnsLabel("a".repeat(64))).isFalse();
    assertThat(KubernetesNames.isDnsSubdomain("a".repeat(253))).isTrue();
    assertThat(KubernetesNames.isDnsSubdomain("a".repeat(254))).isFalse();
    assertThat(KubernetesNames.isLabelValue("a".repeat(64))).isFalse();
  }
}
