package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesQuantityTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "0, 0",
    "1, 1",
    "+1, 1",
    "-1, -1",
    "0.5, 0.5",
    ".5, 0.5",
    "5., 5",
    "500m, 0.5",
    "1n, 0.000000001",
    "1u, 0.000001",
    "1k, 1000",
    "2M, 2000000",
    "1Ki, 1024",
    "2Gi, 2147483648",
    "1e3, 1000",
    "1E3, 1000",
    "1e-3, 0.001",
    "1Pi, 1125899906842624",
  })
  void itIsReadAsKubernetesReadsIt(String text, BigDecimal amount) {
    assertThat(KubernetesQuantity.parse(text)).isEqualByComparingTo(amount);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "1 ", " 1", "1 Gi", "lots", "2GB", "2gb", "1K", "Ki", "-", ".", "1e", "1e1000",
        "NaN", "0x10", "１", "1Ki1", "1,5",
      })
  void whatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> KubernetesQuantity.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be a quantity like '500m' or '2Gi'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "8Ei", "-8Ei", "1e19", "1e99"})
  void soIsWhatKubernetesCannotHold(String text) {
    assertThatThrownBy(() -> KubernetesQuantity.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be a quantity below 2^63");
  }

  @Test
  void aLongTextIsJudgedAtOnce() {
    String digits = "9".repeat(10_000_000);

    Assertions.assertTimeout(
        Duration.ofMinutes(1),
        () ->
            assertThatThrownBy(() -> KubernetesQuantity.parse(digits))
                .isInstanceOf(IllegalArgumentException.class));
  }
}
