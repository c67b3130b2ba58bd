package dev.sluice.api.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.testing.fuzz.CrdSchema;
import dev.sluice.testing.fuzz.FlinkDeployments;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InvalidManifestsTest {
  private static final CrdSchema SCHEMA = FlinkDeployments.schema(Path.of(".."));

  static Stream<Manifest> readable() {
    return Manifest.invalid().filter(manifest -> !manifest.expected().isEmpty());
  }

  static Stream<Manifest> leftToTheSchema() {
    return Manifest.invalid().filter(manifest -> manifest.expected().isEmpty());
  }

  static Stream<Manifest> leftToValidation() {
    return Manifest.invalid().filter(manifest -> manifest.apiServer().isEmpty());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("readable")
  void everyViolationIsToldWithPathAndMessage(Manifest manifest) {
    FrozenSpec last =
        manifest
            .after()
            .map(before -> new FrozenSpec(before.resource().getSpec(), 1, true))
            .orElse(null);

    List<Violation> violations = SpecValidation.validate(manifest.resource(), last);

    List<String> told = violations.stream().map(Violation::toString).toList();
    assertThat(told).hasSameSizeAs(manifest.expected());
    assertThat(told)
        .zipSatisfy(manifest.expected(), (text, expected) -> assertThat(text).startsWith(expected));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("leftToTheSchema")
  void whatCannotEvenBeReadIsRefusedByTheSchema(Manifest manifest) {
    assertThat(manifest.apiServer()).isPresent();
    assertThat(SCHEMA.violations(manifest.json())).isNotEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("leftToValidation")
  void whatOnlyValidationRefusesIsTakenByTheSchema(Manifest manifest) {
    assertThat(SCHEMA.violations(manifest.json())).isEmpty();
  }
}
