package dev.sluice.activities.manifest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After a wanted change, run with {@code -Dgolden.update=true} and read the diff. */
class ApplicationManifestsGoldenTest {

  @ParameterizedTest
  @MethodSource("cases")
  void rendersWhatIsKept(GoldenCase golden) throws IOException {
    String rendered = GoldenCase.yaml(new ApplicationManifests().render(golden.target()));

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden.out(), rendered);
    }
    assertThat(rendered).isEqualTo(golden.expected());
  }

  @Test
  void hasEnoughCases() {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(12);
  }

  static List<GoldenCase> cases() {
    return GoldenCase.all();
  }
}
