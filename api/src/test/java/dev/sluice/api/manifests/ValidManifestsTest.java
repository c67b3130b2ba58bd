package dev.sluice.api.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.testing.fuzz.CrdSchema;
import dev.sluice.testing.fuzz.FlinkDeployments;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValidManifestsTest {
  private static final CrdSchema SCHEMA = FlinkDeployments.schema(Path.of(".."));

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.sluice.api.manifests.Manifest#valid")
  void theSchemaTakesIt(Manifest manifest) {
    assertThat(SCHEMA.violations(manifest.json())).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.sluice.api.manifests.Manifest#valid")
  void validationFindsNothing(Manifest manifest) {
    assertThat(SpecValidation.validate(manifest.resource(), null)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.sluice.api.manifests.Manifest#valid")
  void applyingItAgainIsNoChangeAndStaysValid(Manifest manifest) {
    var resource = manifest.resource();
    FrozenSpec deployed = FrozenSpec.parse(new FrozenSpec(resource.getSpec(), 1, true).toJson());

    assertThat(SpecDiff.between(deployed.spec(), resource.getSpec()).changes()).isEmpty();
    assertThat(SpecValidation.validate(resource, deployed)).isEmpty();
  }
}
