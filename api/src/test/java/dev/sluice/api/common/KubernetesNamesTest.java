package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesNamesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // text, is a subdomain, a value of a label
    "flink-config-volume, true, true",
    "0, true, true",
    "flink.apache.org, true, true",
    "a-b.c-d, true, true",
    "A, false, true",
    "Shop-1_2.3, false, true",
    "'', false, true",
    "-a, false, false",
    "a-, false, false",
    "a., false, false",
    "a..b, false, true",
    "a.-b, false, true",
    "a b, false, false",
    "ä, false, false",
    "../../etc/passwd, false, false",
  })
  void eachKindOfNameHasItsCharacters(String text, boolean subdomain, boolean labelValue) {
    assertThat(KubernetesNames.isDnsSubdomain(text)).isEqualTo(subdomain);
    assertThat(KubernetesNames.isLabelValue(text)).isEqualTo(labelValue);
  }

  @Test
  void namesHaveLimits() {
    assertThat(KubernetesNames.isDnsSubdomain("a".repeat(253))).isTrue();
    assertThat(KubernetesNames.isDnsSubdomain("a".repeat(254))).isFalse();
    assertThat(KubernetesNames.isLabelValue("a".repeat(64))).isFalse();
  }
}
