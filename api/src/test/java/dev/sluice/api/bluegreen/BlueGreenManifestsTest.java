package dev.sluice.api.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.validation.BlueGreenValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.testing.TestManifest;
import dev.sluice.testing.fuzz.CrdSchema;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Manifests of FlinkBlueGreenDeployments, as for FlinkDeployments: {@code # expect: PATH: MESSAGE},
 * {@code # api-server: TEXT}. What the API server says is in BlueGreenRulesIT.
 */
class BlueGreenManifestsTest {

  private static final Path FOLDER = Path.of("src/test/resources/manifests/bluegreen");
  private static final CrdSchema SCHEMA =
      CrdSchema.read(Path.of("../deploy/crds/flinkbluegreendeployments.flink.apache.org-v1.yml"));

  static Stream<TestManifest> valid() {
    return TestManifest.in(FOLDER.resolve("valid"));
  }

  static Stream<TestManifest> invalid() {
    return TestManifest.in(FOLDER.resolve("invalid"));
  }

  private static FlinkBlueGreenDeployment resource(TestManifest manifest) {
    return Serialization.unmarshal(manifest.text(), FlinkBlueGreenDeployment.class);
  }

  private static List<String> violations(TestManifest manifest) {
    return BlueGreenValidation.validate(resource(manifest), null, DefaultConfiguration.NONE)
        .stream()
        .map(Violation::toString)
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void theSchemaAndValidationTakeIt(TestManifest manifest) {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isEmpty();
    assertThat(violations(manifest)).isEmpty();
    assertThat(BlueGreenValidation.warnings(resource(manifest))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void nothingOfItIsLostWhenItIsFrozen(TestManifest manifest) {
    FlinkBlueGreenDeploymentSpec spec = resource(manifest).getSpec();

    FrozenBlueGreen frozen = FrozenBlueGreen.parse(new FrozenBlueGreen(spec, 3).toJson());

    assertThat(frozen).isEqualTo(new FrozenBlueGreen(spec, 3));
  }

  @Test
  void thereAreMoreThanFifteenBadSpecs() {
    assertThat(invalid()).hasSizeGreaterThan(15);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void theViolationIsToldWithPathAndMessage(TestManifest manifest) {
    List<String> told = violations(manifest);

    assertThat(told).hasSameSizeAs(manifest.expected());
    assertThat(told)
        .zipSatisfy(manifest.expected(), (text, wanted) -> assertThat(text).startsWith(wanted));
  }
}
