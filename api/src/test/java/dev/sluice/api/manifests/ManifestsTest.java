package dev.sluice.api.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.validation.ApplicationValidation;
import dev.sluice.api.validation.BlueGreenValidation;
import dev.sluice.api.validation.SessionJobValidation;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.testing.TestManifest;
import dev.sluice.testing.fuzz.CrdSchema;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Manifests of people of each kind, good and bad, against schema and validation. What a bad one
 * expects is in its first lines, see {@link TestManifest}. What the API server and the webhook say
 * is in tests of the controller.
 */
class ManifestsTest {
  private static final Path FOLDER = Path.of("src/test/resources/manifests");

  enum Kind {
    DEPLOYMENT("", FlinkDeployment.class, "crds/flinkdeployments.flink.apache.org"),
    SESSION_JOB("sessionjob", FlinkSessionJob.class, "crds/flinksessionjobs.flink.apache.org"),
    BLUE_GREEN(
        "bluegreen",
        FlinkBlueGreenDeployment.class,
        "crds/flinkbluegreendeployments.flink.apache.org"),
    APPLICATION("application", FlinkApplication.class, "preview/flinkapplications.flink.k8s.io");

    private final Path folder;
    private final Class<? extends CustomResource<?, ?>> type;
    private final CrdSchema schema;

    Kind(String folder, Class<? extends CustomResource<?, ?>> type, String definition) {
      this.folder = FOLDER.resolve(folder);
      this.type = type;
      this.schema = CrdSchema.read(Path.of("../deploy/" + definition + "-v1.yml"));
    }

    private Stream<Arguments> manifests(String folder) {
      return TestManifest.in(this.folder.resolve(folder)).map(it -> Arguments.of(this, it));
    }
  }

  static Stream<Arguments> valid() {
    return Arrays.stream(Kind.values()).flatMap(kind -> kind.manifests("valid"));
  }

  static Stream<Arguments> invalid() {
    return Arrays.stream(Kind.values()).flatMap(kind -> kind.manifests("invalid"));
  }

  private static SessionCluster cluster() {
    TestManifest session = TestManifest.read(FOLDER.resolve("valid/session.yaml"));
    return SessionCluster.of(
        Serialization.unmarshal(session.text(), FlinkDeployment.class).getSpec());
  }

  private static List<Violation> violations(Kind kind, TestManifest manifest) {
    CustomResource<?, ?> resource = Serialization.unmarshal(manifest.text(), kind.type);
    if (resource instanceof FlinkDeployment deployment) {
      FrozenSpec last =
          manifest
              .after()
              .map(it -> Serialization.unmarshal(it.text(), FlinkDeployment.class).getSpec())
              .map(spec -> new FrozenSpec(spec, 1, true))
              .orElse(null);
      return SpecValidation.validate(deployment, last, DefaultConfiguration.NONE);
    }
    if (resource instanceof FlinkSessionJob job) {
      return SessionJobValidation.validate(job, null, cluster());
    }
    if (resource instanceof FlinkBlueGreenDeployment both) {
      return BlueGreenValidation.validate(both, null, DefaultConfiguration.NONE);
    }
    return ApplicationValidation.validate((FlinkApplication) resource);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("valid")
  void aGoodOneIsTakenBySchemaAndValidation(Kind kind, TestManifest manifest) {
    assertThat(kind.schema.violations(CrdSchema.yaml(manifest.file()))).isEmpty();
    assertThat(violations(kind, manifest)).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("valid")
  void nothingOfAGoodOneIsLostWhenItIsFrozen(Kind kind, TestManifest manifest) {
    CustomResource<?, ?> resource = Serialization.unmarshal(manifest.text(), kind.type);

    if (resource instanceof FlinkDeployment deployment) {
      FrozenSpec frozen = new FrozenSpec(deployment.getSpec(), 3, true);
      FrozenSpec read = FrozenSpec.parse(frozen.toJson());
      assertThat(read).isEqualTo(frozen);
      assertThat(SpecDiff.between(read.spec(), deployment.getSpec()).changes()).isEmpty();
      assertThat(SpecValidation.validate(deployment, read, DefaultConfiguration.NONE)).isEmpty();
    } else if (resource instanceof FlinkSessionJob job) {
      FrozenSessionJob frozen = new FrozenSessionJob(job.getSpec(), 3, true);
      FrozenSessionJob read = FrozenSessionJob.parse(frozen.toJson());
      assertThat(read).isEqualTo(frozen);
      assertThat(read.spec().changesTo(job.getSpec()).changes()).isEmpty();
    } else if (resource instanceof FlinkBlueGreenDeployment both) {
      FrozenBlueGreen frozen = new FrozenBlueGreen(both.getSpec(), 3);
      assertThat(FrozenBlueGreen.parse(frozen.toJson())).isEqualTo(frozen);
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("invalid")
  void aBadOneIsRefusedBySchemaOrValidation(Kind kind, TestManifest manifest) {
    boolean hasShape = kind.schema.violations(CrdSchema.yaml(manifest.file())).isEmpty();
    assertThat(hasShape || manifest.apiServer().isPresent()).isTrue();
    if (!hasShape && manifest.expected().isEmpty()) {
      return; // it cannot even be read
    }
    assertThat(manifest.apiServer().isPresent() || !manifest.expected().isEmpty()).isTrue();
    List<String> told = violations(kind, manifest).stream().map(Violation::toString).toList();

    assertThat(told)
        .hasSameSizeAs(manifest.expected())
        .zipSatisfy(manifest.expected(), (text, wanted) -> assertThat(text).startsWith(wanted));
  }
}
