package dev.sluice.api.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.testing.TestManifest;
import dev.sluice.testing.fuzz.CrdSchema;
import dev.sluice.testing.fuzz.FlinkDeployments;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InvalidManifestsTest {
  private static final CrdSchema SCHEMA = FlinkDeployments.schema(Path.of(".."));
  private static final Path INVALID = Path.of("src/test/resources/manifests/invalid");

  static Stream<TestManifest> readable() {
    return TestManifest.in(INVALID).filter(manifest -> !manifest.expected().isEmpty());
  }

  static Stream<TestManifest> leftToTheSchema() {
    return TestManifest.in(INVALID).filter(manifest -> manifest.expected().isEmpty());
  }

  static Stream<TestManifest> leftToValidation() {
    return TestManifest.in(INVALID).filter(manifest -> manifest.apiServer().isEmpty());
  }

  private static FlinkDeployment resource(TestManifest manifest) {
    return Serialization.unmarshal(manifest.text(), FlinkDeployment.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("readable")
  void everyViolationIsToldWithPathAndMessage(TestManifest manifest) {
    FrozenSpec last =
        manifest
            .after()
            .map(before -> new FrozenSpec(resource(before).getSpec(), 1, true))
            .orElse(null);

    List<Violation> violations = SpecValidation.validate(resource(manifest), last);

    List<String> told = violations.stream().map(Violation::toString).toList();
    assertThat(told).hasSameSizeAs(manifest.expected());
    assertThat(told)
        .zipSatisfy(manifest.expected(), (text, expected) -> assertThat(text).startsWith(expected));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("leftToTheSchema")
  void whatCannotEvenBeReadIsRefusedByTheSchema(TestManifest manifest) {
    assertThat(manifest.apiServer()).isPresent();
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isNotEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("leftToValidation")
  void whatOnlyValidationRefusesIsTakenByTheSchema(TestManifest manifest) {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isEmpty();
  }
}
