package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.flink.FlinkRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

  @Test
  void plainWordsStayAsTheyAre() {
    assertThat(Demo.shown(List.of("apply", "-f", "deploy/x.yaml")))
        .isEqualTo("apply -f deploy/x.yaml");
  }

  @Test
  void whatAShellWouldReadOtherwiseIsQuoted() {
    assertThat(Demo.shown(List.of("{\"a\": 1}", "it's"))).isEqualTo("'{\"a\": 1}' 'it'\\''s'");
  }
}
