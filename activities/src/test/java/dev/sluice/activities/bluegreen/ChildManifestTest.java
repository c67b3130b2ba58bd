package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.bluegreen.ChildManifest.Start;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After a wanted change, run with {@code -Dgolden.update=true} and read the diff. */
class ChildManifestTest {

  private static final Path FOLDER = Path.of("src/test/resources/bluegreen");
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  /** One file each. */
  enum Case {
    OF_SPEC(Color.BLUE, new Start.OfSpec()),
    EMPTY(Color.GREEN, new Start.Empty()),
    FROM_SAVEPOINT(Color.GREEN, new Start.From("s3://bucket/savepoints/savepoint-ab12cd-1")),
    KEPT(
        Color.GREEN,
        new Start.Kept(
            JobSpec.of("local:///old.jar", 1, UpgradeMode.STATELESS)
                .withInitialSavepointPath("s3://bucket/what-it-was-started-from")
                .withSavepointRedeployNonce(2L)));

    private final Color color;
    private final Start start;

    Case(Color color, Start start) {
      this.color = color;
      this.start = start;
    }

    Path file() {
      return FOLDER.resolve("child-" + name().toLowerCase(java.util.Locale.ROOT) + ".yaml");
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void aChildIsTheTemplateWithoutTheIngressAndWithItsStart(Case golden) throws IOException {
    FlinkBlueGreenDeployment parent =
        SERIALIZATION.unmarshal(
            Files.readString(FOLDER.resolve("parent.yaml")), FlinkBlueGreenDeployment.class);

    String rendered = SERIALIZATION.asYaml(ChildManifest.of(parent, golden.color, golden.start));

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden.file(), rendered);
    }
    assertThat(rendered).isEqualTo(Files.readString(golden.file()));
  }
}
