package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.FlinkDuration;
import dev.sluice.api.common.FlinkMemory;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkUnitsTest {
  @ParameterizedTest
  @CsvSource({
    "10 min,PT10M",
    "10m,PT10M",
    "500ms,PT0.5S",
    "500,PT0.5S",
    "1 d,PT24H",
    "2 days,PT48H",
    "3 Hours,PT3H",
    "4 sec,PT4S",
    "5 seconds,PT5S",
    "6 µs,PT0.000006S",
    "7 ns,PT0.000000007S",
    "PT1H30M,PT1H30M",
    "0 s,PT0S",
  })
  void durationsAreReadAsFlinkReadsThem(String text, Duration expected) {
    assertThat(FlinkDuration.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "-1 s",
        "1.5 h",
        "1 mins",
        "10 min 5 s",
        "PTX",
        "99999999999999999999 d"
      })
  void whatFlinkWouldNotReadIsNoDuration(String text) {
    assertThatThrownBy(() -> FlinkDuration.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be a duration");
  }

  @ParameterizedTest
  @CsvSource({
    "1024,1024",
    "1 b,1",
    "2k,2048",
    "1024m,1073741824",
    "1 gb,1073741824",
    "1G,1073741824",
    "3 mebibytes,3145728",
    "1 tb,1099511627776",
  })
  void memoryIsReadAsFlinkReadsIt(String text, long expected) {
    assertThat(FlinkMemory.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1Gi", "lots", "-1m", "1.5g", "99999999999 tb"})
  void whatFlinkWouldNotReadIsNoMemory(String text) {
    assertThatThrownBy(() -> FlinkMemory.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("amount of memory");
  }

  @ParameterizedTest
  @CsvSource({
    "2g,2147483648",
    "2G,2147483648",
    "2Gi,2147483648",
    "2.5G,2500000000",
    "512Mi,536870912",
    "2147483648,2147483648",
  })
  void memoryOfAPodIsFlinksFirstAndThenKubernetes(String text, long expected) {
    assertThat(FlinkMemory.parseFlinkOrKubernetes(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "lots", "2GB2", "0.5", "-", ".", "1e", "1e1000", "NaN", "0x10", "1Ki1", "1,5", "500n",
        "8Ei", "-8Ei", "1e19", "1e99"
      })
  void whatIsNeitherIsNoMemoryOfAPod(String text) {
    assertThatThrownBy(() -> FlinkMemory.parseFlinkOrKubernetes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'2048m' or '2Gi'");
  }
}
