package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTest {

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
