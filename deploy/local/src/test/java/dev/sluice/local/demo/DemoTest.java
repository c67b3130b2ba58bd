package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.flink.FlinkRelease;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoTest {

  @Test
  void theUpgradeIsToTheTagThatNamesThePatchReleaseOfTheExample() throws IOException {
    assertThat(Path.of("examples/counter.yaml")).content().contains("image: flink:2.2\n");
    assertThat(FlinkRelease.ofImage(Demo.fullImage()))
        .isEqualTo(FlinkRelease.ofImage("flink:2.2"))
        .hasValueSatisfying(
            release -> assertThat(Demo.fullImage()).isEqualTo("flink:" + release.version()));
  }
}
