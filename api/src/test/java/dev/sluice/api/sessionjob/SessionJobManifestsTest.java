package dev.sluice.api.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FrozenDocument;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.validation.SessionJobValidation;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
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
 * Manifests of FlinkSessionJobs on the cluster of {@code valid/session.yaml}, as for
 * FlinkDeployments: {@code # expect: PATH: MESSAGE}, {@code # api-server: TEXT}.
 */
class SessionJobManifestsTest {

  private static final Path FOLDER = Path.of("src/test/resources/manifests/sessionjob");
  private static final SessionCluster CLUSTER =
      SessionCluster.of(
          Serialization.unmarshal(
                  TestManifest.read(Path.of("src/test/resources/manifests/valid/session.yaml"))
                      .text(),
                  FlinkDeployment.class)
              .getSpec());
  private static final CrdSchema SCHEMA =
      CrdSchema.read(Path.of("../deploy/crds/flinksessionjobs.flink.apache.org-v1.yml"));

  static Stream<TestManifest> valid() {
    return TestManifest.in(FOLDER.resolve("valid"));
  }

  static Stream<TestManifest> invalid() {
    return TestManifest.in(FOLDER.resolve("invalid"));
  }

  private static FlinkSessionJob job(TestManifest manifest) {
    return Serialization.unmarshal(manifest.text(), FlinkSessionJob.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void theSchemaAndValidationTakeIt(TestManifest manifest) {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isEmpty();
    assertThat(SessionJobValidation.validate(job(manifest), null, CLUSTER)).isEmpty();
    assertThat(SessionJobValidation.warnings(job(manifest), CLUSTER))
        .extracting(Object::toString)
        .as("what has no effect, but for what comes later")
        .allMatch(it -> it.contains("has no effect yet"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void nothingOfItIsLostWhenItIsFrozen(TestManifest manifest) {
    FlinkSessionJobSpec spec = job(manifest).getSpec();

    FrozenSessionJob frozen = FrozenSessionJob.parse(new FrozenSessionJob(spec, 3, true).toJson());

    assertThat(SessionJobDiff.between(frozen.spec(), spec).changes()).isEmpty();
    assertThat(frozen.generation()).isEqualTo(3);
    assertThat(frozen.firstDeployment()).isTrue();
    assertThat(frozen.byApache()).isFalse();
    JsonNode written = FrozenDocument.tree(frozen.spec()).path("job");
    CrdSchema.yaml(manifest.file())
        .at("/spec/job")
        .properties()
        .forEach(
            field ->
                assertThat(written.path(field.getKey())).hasToString(field.getValue().toString()));
    assertThat(frozen.spec().configuration().asMap())
        .isEqualTo(
            FlinkConfiguration.of(CrdSchema.yaml(manifest.file()).at("/spec/flinkConfiguration"))
                .asMap());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void theViolationIsToldWithPathAndMessage(TestManifest manifest) {
    List<String> told =
        SessionJobValidation.validate(job(manifest), null, CLUSTER).stream()
            .map(Violation::toString)
            .toList();

    assertThat(told).hasSameSizeAs(manifest.expected());
    assertThat(told)
        .zipSatisfy(manifest.expected(), (text, wanted) -> assertThat(text).startsWith(wanted));
  }
}
