package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What manifests alone cannot show; the rules themselves are tested by the manifests. */
class SpecValidationTest {
  private static final FlinkConfiguration MEMORY =
      FlinkConfiguration.of(
          Map.of(
              "jobmanager.memory.process.size", "1600m",
              "taskmanager.memory.process.size", "1728m"));
  private static final FlinkConfiguration DIRECTORIES =
      FlinkConfiguration.of(
          Map.of("state.checkpoints.dir", "s3://b/c", "state.savepoints.dir", "s3://b/s"));

  private static final FlinkDeploymentSpec SPEC =
      FlinkDeploymentSpec.EMPTY
          .withFlinkVersion(FlinkVersion.V1_20)
          .withServiceAccount("flink")
          .withConfiguration(MEMORY)
          .withJob(JobSpec.of("local:///a.jar", 1, UpgradeMode.STATELESS));

  private static FlinkDeployment resource(FlinkDeploymentSpec spec) {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(new ObjectMetaBuilder().withName("orders").build());
    resource.setSpec(spec);
    return resource;
  }

  private static FrozenSpec deployed(FlinkDeploymentSpec spec) {
    return new FrozenSpec(spec, 1, false);
  }

  @Test
  void theOperatorsDefaultsCountAsGiven() {
    FlinkDeployment resource =
        resource(
            SPEC.withFlinkConfiguration(null)
                .withJob(JobSpec.of("local:///a.jar", 1, UpgradeMode.SAVEPOINT)));

    assertThat(SpecValidation.validate(resource, null)).hasSize(4);
    assertThat(
            SpecValidation.validate(
                resource, null, DefaultConfiguration.of(MEMORY.withAll(DIRECTORIES.asMap()))))
        .isEmpty();
  }

  @Test
  void aSwitchThatIsNeitherTrueNorFalseIsTold() {
    FlinkDeployment resource =
        resource(
            SPEC.withConfiguration(
                MEMORY.with("kubernetes.operator.job.savepoint-on-deletion", "yes")));

    assertThat(SpecValidation.validate(resource, null))
        .extracting(Violation::path)
        .containsExactly("spec.flinkConfiguration.kubernetes.operator.job.savepoint-on-deletion");
  }

  @Test
  void aDefaultThatBreaksARuleIsNamedWithItsOrigin() {
    String key =
        "kubernetes.operator.default-configuration.flink-version.v1_15+.taskmanager.numberOfTaskSlots";
    DefaultConfiguration defaults = DefaultConfiguration.of(MEMORY.with(key, "a lot"));

    assertThat(SpecValidation.validate(resource(SPEC), null, defaults))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.path())
                  .isEqualTo("spec.flinkConfiguration.taskmanager.numberOfTaskSlots");
              assertThat(violation.message())
                  .contains("'a lot'")
                  .endsWith("It comes from the operator's default configuration (" + key + ")");
            });
  }

  @Test
  void defaultsThatNothingReadsAreNamed() {
    DefaultConfiguration defaults =
        DefaultConfiguration.parse(
            """
            kubernetes.operator.reconcile.interval: 15 s
            kubernetes.operator.savepoint.format.type: NATIVE
            job.autoscaler.enabled: true
            web.timeout: 1 s
            """);

    assertThat(SpecValidation.warnings(defaults))
        .extracting(Warning::path)
        .containsExactly("job.autoscaler.enabled", "kubernetes.operator.reconcile.interval");
  }

  @Test
  void theSpecWinsOverTheDefaults() {
    FlinkDeployment resource =
        resource(
            SPEC.withConfiguration(MEMORY.with("state.savepoints.dir", ""))
                .withJob(JobSpec.of("local:///a.jar", 1, UpgradeMode.SAVEPOINT)));

    assertThat(SpecValidation.validate(resource, null, DefaultConfiguration.of(DIRECTORIES)))
        .extracting(Violation::path)
        .containsExactly("spec.flinkConfiguration.state.savepoints.dir");
  }

  /** FLINK-30527. */
  @Test
  void theVersionCannotChangeWhileSuspendedWithLastState() {
    JobSpec suspended =
        JobSpec.of("local:///a.jar", 1, UpgradeMode.LAST_STATE)
            .withState(DesiredJobState.SUSPENDED);
    FlinkDeploymentSpec wanted =
        SPEC.withFlinkVersion(FlinkVersion.V2_0)
            .withConfiguration(MEMORY.withAll(DIRECTORIES.asMap()))
            .withJob(JobSpec.of("local:///a.jar", 1, UpgradeMode.SAVEPOINT));

    assertThat(SpecValidation.validate(resource(wanted), deployed(SPEC.withJob(suspended))))
        .extracting(Violation::toString)
        .containsExactly(
            "spec.flinkVersion: cannot be changed to v2_0 while the job is suspended with"
                + " last-state. Resume it with v1_20 first, then upgrade it");
  }

  @Test
  void theVersionMayChangeThenWhenTheStateIsNotWanted() {
    JobSpec suspended =
        JobSpec.of("local:///a.jar", 1, UpgradeMode.LAST_STATE)
            .withState(DesiredJobState.SUSPENDED);

    assertThat(
            SpecValidation.validate(
                resource(SPEC.withFlinkVersion(FlinkVersion.V2_0)),
                deployed(SPEC.withJob(suspended))))
        .isEmpty();
  }

  @Test
  void aSessionClusterCannotBecomeAnApplication() {
    assertThat(SpecValidation.validate(resource(SPEC), deployed(SPEC.withJob(null))))
        .extracting(Violation::path)
        .containsExactly("spec.job");
  }

  @Test
  void theNonceOfTheFirstDeploymentAsksForNoRedeployment() {
    FlinkDeploymentSpec spec =
        SPEC.withJob(
            JobSpec.of("local:///a.jar", 1, UpgradeMode.STATELESS).withSavepointRedeployNonce(1L));

    assertThat(SpecValidation.validate(resource(spec), null)).isEmpty();
    assertThat(SpecValidation.validate(resource(spec), deployed(spec))).isEmpty();
    assertThat(SpecValidation.validate(resource(SPEC), deployed(spec))).isEmpty();
  }

  @Test
  void whatIsNotSupportedYetHasAReasonOfItsOwn() {
    FlinkDeploymentSpec tls =
        SPEC.withConfiguration(SPEC.configuration().with("security.ssl.rest.enabled", "true"));
    assertThat(SpecValidation.validate(resource(tls), null))
        .extracting(Violation::reason)
        .containsExactly(Reasons.NOT_SUPPORTED);
    assertThat(SpecValidation.validate(resource(SPEC.withServiceAccount(null)), null))
        .extracting(Violation::reason)
        .containsExactly(Reasons.INVALID_SPEC);
  }

  @Test
  void aResourceWithoutANameIsToldNotThrown() {
    FlinkDeployment resource = resource(SPEC);
    resource.setMetadata(new ObjectMetaBuilder().build());

    assertThat(SpecValidation.validate(resource, null))
        .extracting(Violation::path)
        .containsExactly("metadata.name");
  }
}
