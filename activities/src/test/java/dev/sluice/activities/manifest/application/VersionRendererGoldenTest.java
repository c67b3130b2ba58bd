package dev.sluice.activities.manifest.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After a wanted change, run with {@code -Dgolden.update=true} and read the diff. */
class VersionRendererGoldenTest {

  @ParameterizedTest
  @MethodSource("cases")
  void rendersWhatLyftsOperatorMakes(ApplicationCase golden) throws IOException {
    String rendered = golden.rendered();

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden.out(), rendered);
    }
    assertThat(rendered).isEqualTo(golden.expected());
  }

  @Test
  void hasEnoughCases() {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(12);
  }

  static List<ApplicationCase> cases() {
    return ApplicationCase.all();
  }
}
