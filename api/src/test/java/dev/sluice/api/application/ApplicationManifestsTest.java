package dev.sluice.api.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.validation.ApplicationValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.testing.TestManifest;
import dev.sluice.testing.fuzz.CrdSchema;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Manifests of FlinkApplications, as for FlinkDeployments: {@code # expect: PATH: MESSAGE}, {@code
 * # api-server: TEXT}. What the API server and the webhook say is in AdmissionWebhookIT.
 */
class ApplicationManifestsTest {

  private static final Path FOLDER = Path.of("src/test/resources/manifests/application");
  private static final CrdSchema SCHEMA =
      CrdSchema.read(Path.of("../deploy/preview/flinkapplications.flink.k8s.io-v1.yml"));

  static Stream<TestManifest> valid() {
    return TestManifest.in(FOLDER.resolve("valid"));
  }

  static Stream<TestManifest> invalid() {
    return TestManifest.in(FOLDER.resolve("invalid")).filter(it -> !it.expected().isEmpty());
  }

  static Stream<TestManifest> left_to_the_schema() {
    return TestManifest.in(FOLDER.resolve("invalid")).filter(it -> it.expected().isEmpty());
  }

  private static FlinkApplication resource(TestManifest manifest) {
    return Serialization.unmarshal(manifest.text(), FlinkApplication.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void the_schema_and_validation_take_it(TestManifest manifest) {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isEmpty();
    assertThat(ApplicationValidation.validate(resource(manifest))).isEmpty();
    assertThat(ApplicationValidation.warnings(resource(manifest))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void the_violation_is_told_with_its_path(TestManifest manifest) {
    List<String> told =
        ApplicationValidation.validate(resource(manifest)).stream()
            .map(Violation::toString)
            .toList();

    assertThat(told).isNotEmpty().hasSameSizeAs(manifest.expected());
    assertThat(told)
        .zipSatisfy(manifest.expected(), (text, wanted) -> assertThat(text).startsWith(wanted));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("left_to_the_schema")
  void a_wrong_shape_is_refused_by_the_schema(TestManifest manifest) {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isNotEmpty();
  }
}
