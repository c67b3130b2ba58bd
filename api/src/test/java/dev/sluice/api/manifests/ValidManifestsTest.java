package dev.sluice.api.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.testing.TestManifest;
import dev.sluice.testing.fuzz.CrdSchema;
import dev.sluice.testing.fuzz.FlinkDeployments;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValidManifestsTest {
  private static final CrdSchema SCHEMA = FlinkDeployments.schema(Path.of(".."));

  static Stream<TestManifest> valid() {
    return TestManifest.in(Path.of("src/test/resources/manifests/valid"));
  }

  private static FlinkDeployment resource(TestManifest manifest) {
    return Serialization.unmarshal(manifest.text(), FlinkDeployment.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void theSchemaTakesIt(TestManifest manifest) {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void validationFindsNothing(TestManifest manifest) {
    assertThat(SpecValidation.validate(resource(manifest), null)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void applyingItAgainIsNoChangeAndStaysValid(TestManifest manifest) {
    var resource = resource(manifest);
    FrozenSpec deployed = FrozenSpec.parse(new FrozenSpec(resource.getSpec(), 1, true).toJson());

    assertThat(SpecDiff.between(deployed.spec(), resource.getSpec()).changes()).isEmpty();
    assertThat(SpecValidation.validate(resource, deployed)).isEmpty();
  }
}
