package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The operator's defaults, and reasons; for the rules see {@link RulesTest}. */
class SpecValidationTest {
  private static final String VERSION =
      "kubernetes.operator.default-configuration.flink-version.v1_15+.";
  private static final Map<String, String> DIRECTORIES =
      Map.of("state.checkpoints.dir", "s3://b/c", "state.savepoints.dir", "s3://b/s");

  private final FlinkDeployment savepoint =
      Specs.resource(Specs.VALID.withJob(Specs.JOB.withUpgradeMode(UpgradeMode.SAVEPOINT)));

  private static DefaultConfiguration defaults(Map<String, String> values) {
    return DefaultConfiguration.of(FlinkConfiguration.of(values));
  }

  @Test
  void theOperatorsDefaultsCountAsGiven() {
    assertThat(SpecValidation.validate(savepoint, null, DefaultConfiguration.NONE)).hasSize(2);
    assertThat(SpecValidation.validate(savepoint, null, defaults(DIRECTORIES))).isEmpty();
  }

  @Test
  void theSpecWinsOverTheDefaults() {
    savepoint.setSpec(
        savepoint
            .getSpec()
            .withConfiguration(FlinkConfiguration.of(Map.of("state.savepoints.dir", ""))));

    assertThat(SpecValidation.validate(savepoint, null, defaults(DIRECTORIES)))
        .extracting(Violation::path)
        .containsExactly("spec.flinkConfiguration.state.savepoints.dir");
  }

  @Test
  void aDefaultThatBreaksARuleIsNamedWithItsOrigin() {
    String key = VERSION + "taskmanager.numberOfTaskSlots";

    assertThat(
            SpecValidation.validate(
                Specs.resource(Specs.VALID), null, defaults(Map.of(key, "a lot"))))
        .extracting(Violation::toString)
        .containsExactly(
            "spec.flinkConfiguration.taskmanager.numberOfTaskSlots: must be a whole number, but is"
                + " 'a lot'. It comes from the operator's default configuration");
  }

  @Test
  void defaultsThatNothingReadsOrThatMakeNoSenseAreNamed() {
    String cap = "kubernetes.operator.savepoint.history.max.age.threshold";

    assertThat(
            SpecValidation.warnings(
                defaults(
                    Map.of(
                        "kubernetes.operator.reconcile.interval",
                        "15 s",
                        "kubernetes.operator.savepoint.format.type",
                        "NATIVE",
                        "job.autoscaler.enabled",
                        "true",
                        "web.timeout",
                        "1 s",
                        cap,
                        "12 h",
                        VERSION + cap,
                        "x",
                        "kubernetes.operator.savepoint.history.max.count.threshold",
                        "0"))))
        .extracting(Warning::toString)
        .satisfiesExactly(
            it -> assertThat(it).startsWith("job.autoscaler.enabled: has no effect yet"),
            it -> assertThat(it).startsWith(VERSION + cap + ": is ignored: must be a duration"),
            it ->
                assertThat(it).startsWith("kubernetes.operator.reconcile.interval: has no effect"),
            it -> assertThat(it).contains("count.threshold: is ignored: must be at least 1"));
  }

  @Test
  void tlsOfTheRestApiNeedsCertificatesOfSluiceAndAKeyOfItsOwn() {
    FlinkDeployment rest = Specs.resource(Specs.configured("security.ssl.rest.enabled", "true"));
    FlinkDeployment all = Specs.resource(Specs.configured("security.ssl.enabled", "true"));
    DefaultConfiguration certificates = DefaultConfiguration.NONE.withRestTls(true);

    assertThat(SpecValidation.validate(rest, null, certificates)).isEmpty();
    assertThat(SpecValidation.validate(all, null, certificates))
        .extracting(Violation::toString)
        .singleElement()
        .asString()
        .startsWith(
            "spec.flinkConfiguration.security.ssl.enabled: needs security.ssl.rest.enabled");
  }

  @Test
  void whatIsNotSupportedYetHasAReasonOfItsOwn() {
    assertThat(Specs.violations(Specs.configured("security.ssl.rest.enabled", "true")))
        .extracting(Violation::reason)
        .containsExactly(Reasons.NOT_SUPPORTED);
    assertThat(Specs.violations(Specs.VALID.withServiceAccount(null)))
        .extracting(Violation::reason)
        .containsExactly(Reasons.INVALID_SPEC);
  }
}
