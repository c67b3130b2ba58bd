package dev.sluice.api.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.validation.BlueGreenValidation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlueGreenValidationTest {

  private static final String NOT_SUPPORTED =
      "spec.configuration.sluice.bluegreen.cut-over: exactly-once is not supported yet: use"
          + " duplicate";

  private FlinkBlueGreenDeployment resource;

  @BeforeEach
  void read() throws IOException {
    resource =
        Serialization.unmarshal(
            Files.readString(Path.of("src/test/resources/manifests/bluegreen/valid/basic.yaml")),
            FlinkBlueGreenDeployment.class);
  }

  private void template(UnaryOperator<FlinkDeploymentSpec> change) {
    FlinkBlueGreenDeploymentSpec spec = resource.getSpec();
    resource.setSpec(
        spec.withTemplate(spec.template().withSpec(change.apply(spec.template().spec()))));
  }

  private void job(UnaryOperator<JobSpec> change) {
    template(spec -> spec.withJob(change.apply(spec.job())));
  }

  private List<String> violations(FrozenBlueGreen last, DefaultConfiguration defaults) {
    return BlueGreenValidation.validate(resource, last, defaults).stream()
        .map(Object::toString)
        .toList();
  }

  private List<String> warnings() {
    return BlueGreenValidation.warnings(resource).stream().map(Object::toString).toList();
  }

  @Test
  void aRedeployNeedsASavepointToStartFrom() {
    FrozenBlueGreen last = new FrozenBlueGreen(resource.getSpec(), 1);
    job(it -> it.withSavepointRedeployNonce(2L));

    assertThat(violations(last, DefaultConfiguration.NONE))
        .singleElement()
        .asString()
        .startsWith("spec.template.spec.job.initialSavepointPath: must be given");

    job(it -> it.withInitialSavepointPath("s3://streams/savepoint-1"));
    assertThat(violations(last, DefaultConfiguration.NONE)).isEmpty();
  }

  /** Each transition makes a new resource. */
  @Test
  void whatNoFlinkDeploymentMayChangeMayBeChanged() {
    FrozenBlueGreen last = new FrozenBlueGreen(resource.getSpec(), 1);
    template(it -> it.withMode(dev.sluice.api.deployment.KubernetesDeploymentMode.STANDALONE));

    assertThat(violations(last, DefaultConfiguration.NONE)).isEmpty();
  }

  @Test
  void whatTheOperatorsDefaultsSayHoldsWhereTheTemplateDoesNot() {
    template(it -> it.withConfiguration(FlinkConfiguration.empty()));
    job(it -> it.withUpgradeMode(UpgradeMode.LAST_STATE));

    assertThat(
            violations(
                null,
                DefaultConfiguration.parse(
                    """
                    state.savepoints.dir: s3://streams/savepoints
                    state.checkpoints.dir: s3://streams/checkpoints
                    high-availability.type: kubernetes
                    high-availability.storageDir: s3://streams/ha
                    """)))
        .isEmpty();
    assertThat(violations(null, DefaultConfiguration.NONE))
        .anyMatch(
            it ->
                it.startsWith(
                    "spec.template.spec.flinkConfiguration.state.savepoints.dir: must be"));
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes.operator.bluegreen.reconciliation.reschedule-interval, is watched",
    "kubernetes.operator.bluegreen.abort.graceperiod, does not know this key",
    "sluice.bluegreen.gate.lag, does not know this key",
    "taskmanager.numberOfTaskSlots, stands in spec.template.spec.flinkConfiguration",
  })
  void aKeyWithoutEffectIsNamed(String key, String why) {
    resource.setSpec(resource.getSpec().withConfiguration(Map.of(key, "15 s")));

    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("spec.configuration." + key + ": has no effect")
        .contains(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sluice.dev/rollback", "sluice.dev/stable-after"})
  void anAnnotationThatMeansSomethingOnAChildOnlyIsNamed(String name) {
    resource.getMetadata().setAnnotations(new HashMap<>(Map.of(name, "1")));

    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("metadata.annotations." + name + ": has no effect");
  }

  @Test
  void theIngressIsTheParents() {
    template(
        it ->
            it.withIngress(
                new IngressSpec("orders.example.com", null, Map.of(), Map.of(), List.of())));

    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("spec.template.spec.ingress: has no effect");
  }

  @Test
  void whatHasNoEffectInTheTemplateIsNamedWithItsPath() {
    template(it -> it.withConfiguration(it.configuration().with("kubernetes.operator.x", "1")));

    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("spec.template.spec.flinkConfiguration.kubernetes.operator.x: has no effect");
  }

  private void exactlyOnce() {
    FlinkBlueGreenDeploymentSpec spec = resource.getSpec();
    resource.setSpec(spec.withConfiguration(Map.of(BlueGreenOptions.CUT_OVER, "exactly-once")));
  }

  @Test
  void anExactlyOnceCutOverIsRefused() {
    exactlyOnce();
    job(it -> it.withEntryClass("dev.example.Orders"));

    assertThat(violations(null, DefaultConfiguration.NONE)).containsExactly(NOT_SUPPORTED);
  }

  @Test
  void aDuplicateCutOverIsNotRefused() {
    resource.setSpec(
        resource.getSpec().withConfiguration(Map.of(BlueGreenOptions.CUT_OVER, "duplicate")));

    assertThat(violations(null, DefaultConfiguration.NONE)).isEmpty();
  }

  /** It runs on a session cluster there. */
  @Test
  void anExactlyOnceCutOverOfAJarInTheImageNeedsItsMainClass() {
    exactlyOnce();
    job(it -> it.withJarURI("local:///opt/flink/usrlib/job.jar").withEntryClass(null));

    assertThat(violations(null, DefaultConfiguration.NONE))
        .hasSize(2)
        .contains(NOT_SUPPORTED)
        .anyMatch(it -> it.startsWith("spec.template.spec.job.entryClass: must be given"));

    job(it -> it.withEntryClass("dev.example.Orders"));
    assertThat(violations(null, DefaultConfiguration.NONE)).containsExactly(NOT_SUPPORTED);
    assertThat(warnings()).isEmpty();
  }

  @Test
  void anOlderFlinkStartsItsTaskManagersWithinThePause() {
    exactlyOnce();
    template(it -> it.withFlinkVersion(FlinkVersion.V1_18));

    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("spec.template.spec.flinkVersion: has no TaskManagers that start before");
  }

  @Test
  void anExactlyOnceCutOverIsNotSupportedInStandaloneMode() {
    exactlyOnce();
    job(it -> it.withEntryClass("dev.example.Orders"));
    template(it -> it.withMode(dev.sluice.api.deployment.KubernetesDeploymentMode.STANDALONE));

    assertThat(violations(null, DefaultConfiguration.NONE))
        .hasSize(2)
        .contains(NOT_SUPPORTED)
        .anyMatch(it -> it.startsWith("spec.template.spec.mode: must be native for an exactly"));
  }

  @Test
  void whatASessionJobMustKeepAnExactlyOnceCutOverMustKeep() {
    exactlyOnce();
    job(it -> it.withJarURI("s3://jars/job.jar"));

    assertThat(violations(null, DefaultConfiguration.NONE))
        .hasSize(2)
        .contains(NOT_SUPPORTED)
        .anyMatch(it -> it.startsWith("spec.template.spec.job.jarURI: must begin with local:"));
  }
}
