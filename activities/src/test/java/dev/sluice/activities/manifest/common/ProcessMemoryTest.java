package dev.sluice.activities.manifest.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.StructuredOption;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessMemoryTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "process.size:1600m",
        "process.size:1g",
        "process.size:1234567890b",
        "flink.size:1280m",
        "flink.size:8g",
        "flink.size:40g",
        "heap.size:512m",
        "heap.size:512m,off-heap.size:64m",
        "heap.size:32m,jvm-metaspace.size:72m,jvm-overhead.min:32m,off-heap.size:16m",
        "heap.size:2g,jvm-overhead.fraction:0.2",
        "flink.size:2g,jvm-overhead.max:200m",
      })
  void isWhatFlinkDerives(String shares) {
    Map<String, String> options = options(shares);

    assertThat(ProcessMemory.ofJobManager(FlinkConfiguration.of(options)))
        .isEqualTo(derivedByFlink(options));
  }

  @Test
  void saysWhatIsMissing() {
    assertThatThrownBy(() -> ProcessMemory.ofJobManager(FlinkConfiguration.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spec.jobManager.resource.memory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "heap.size:9223372036854775807b",
        "flink.size:9223372036854775807b",
        "flink.size:9223372036854775000b,jvm-metaspace.size:1b"
      })
  void amountsThatAddUpToTooMuchAreRefused(String shares) {
    FlinkConfiguration configuration = FlinkConfiguration.of(options(shares));

    assertThatThrownBy(() -> ProcessMemory.ofJobManager(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jobmanager.memory.*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity"})
  void whatIsNotFiniteIsNoNumber(String fraction) {
    FlinkConfiguration configuration =
        FlinkConfiguration.of(options("flink.size:1g,jvm-overhead.fraction:" + fraction));

    assertThatThrownBy(() -> ProcessMemory.ofJobManager(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be a number");
  }

  private static Map<String, String> options(String shares) {
    Map<String, String> options = new TreeMap<>();
    StructuredOption.map(shares)
        .forEach((share, amount) -> options.put("jobmanager.memory." + share, amount));
    return options;
  }

  private static long derivedByFlink(Map<String, String> options) {
    return JobManagerProcessUtils.processSpecFromConfig(Configuration.fromMap(options))
        .getTotalProcessMemorySize()
        .getMebiBytes();
  }
}
