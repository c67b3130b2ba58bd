package dev.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.LauncherSessionListener;

class PatienceTest {

  @Test
  void jUnitFindsIt() {
    assertThat(ServiceLoader.load(LauncherSessionListener.class))
        .hasAtLeastOneElementOfType(Patience.class);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, PT2M", "3, 1, PT6M", "1, 2.5, PT5M", "2, 0.5, PT2M"})
  void limit_isAMultipleOfTheUsualOne(int usual, String factor, Duration limit) {
    assertThat(Patience.times(usual, factor)).isEqualTo(limit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN"})
  void factorThatIsNotPositive_isRefused(String factor) {
    assertThatThrownBy(() -> Patience.times(1, factor)).hasMessageContaining("sluice.patience");
  }
}
