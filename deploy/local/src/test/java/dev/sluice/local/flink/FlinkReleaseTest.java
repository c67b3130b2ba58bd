package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkReleaseTest {

  @ParameterizedTest
  @CsvSource({
    "flink:1.20, 1.20.5",
    "flink:1.20.5, 1.20.5",
    "flink:1.20-java17, 1.20.5",
    "flink:1.20-java11, 1.20.5",
    "flink:1.20-scala_2.12, 1.20.5",
    "flink:1.20-scala_2.12-java17, 1.20.5",
    "flink:1.20.5-scala_2.12-java17, 1.20.5",
    "flink:2.2, 2.2.1",
    "flink:2.2.1, 2.2.1",
    "flink:2.2.1-java17, 2.2.1",
    "flink:2.3.0, 2.3.0",
    "library/flink:2.2, 2.2.1",
    "docker.io/flink:2.2, 2.2.1",
    "docker.io/library/flink:2.2, 2.2.1",
    "apache/flink:2.2.1-scala_2.12-java17, 2.2.1",
  })
  void anOfficialImageIsARelease(String image, String version) {
    assertThat(FlinkRelease.ofImage(image)).get().returns(version, FlinkRelease::version);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flink",
        "flink:latest",
        "flink:2",
        "flink:2.2.0",
        "flink:1.19",
        "flink:2.20",
        "flink:2.2-java21",
        "flink:2.2-java17-extra",
        "flink:2.2@sha256:0000000000000000000000000000000000000000000000000000000000000000",
        "registry.example/flink:2.2",
        "my-flink:2.2",
        "",
      })
  void anyOtherImageIsUnknown(String image) {
    assertThat(FlinkRelease.ofImage(image)).isEmpty();
  }
}
