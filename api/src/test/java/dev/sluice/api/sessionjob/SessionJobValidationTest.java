package dev.sluice.api.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.validation.SessionJobValidation;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import dev.sluice.api.validation.Violation;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What depends on the session cluster, or on what was deployed before. */
class SessionJobValidationTest {

  private static final JobSpec JOB =
      JobSpec.of("https://example.com/job.jar", 2, UpgradeMode.SAVEPOINT);
  private static final Map<String, String> DIRECTORIES =
      Map.of(
          "state.checkpoints.dir", "file:///data/checkpoints",
          "state.savepoints.dir", "file:///data/savepoints");

  private static FlinkSessionJob resource(JobSpec job, Map<String, String> configuration) {
    FlinkSessionJob resource = new FlinkSessionJob();
    resource.getMetadata().setName("orders");
    resource.setSpec(
        new FlinkSessionJobSpec(
            "session", job, null, FlinkConfiguration.of(configuration).toJson()));
    return resource;
  }

  private static SessionCluster cluster(Map<String, String> configuration) {
    return SessionCluster.of(
        FlinkDeploymentSpec.EMPTY
            .withFlinkVersion(FlinkVersion.V1_20)
            .withConfiguration(FlinkConfiguration.of(configuration)));
  }

  private static String violations(
      FlinkSessionJob job, @Nullable FrozenSessionJob last, SessionCluster cluster) {
    return String.join(
        "\n",
        SessionJobValidation.validate(job, last, cluster).stream()
            .map(Violation::toString)
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "execution.savepoint.path | s3://b/old | has no effect: spec.job.initialSavepointPath",
        "execution.state-recovery.path | s3://b/old | has no effect: spec.job.initialSavepointPath",
        "execution.savepoint-restore-mode | CLAIM | has no effect: Sluice starts jobs with NO_CLAIM",
        "execution.state-recovery.claim-mode | CLAIM | has no effect: Sluice starts jobs with NO_",
        "execution.target | remote | has no effect: it is not sent",
        "$internal.pipeline.job-id | x | has no effect: it is not sent",
      })
  void whatFlinkIsNotSentIsNamedOnce(String key, String value, String message) {
    assertThat(SessionJobValidation.warnings(resource(JOB, Map.of(key, value)), cluster(Map.of())))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": " + message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://KEY:hidden@bucket/x.jar",
        "htps://hidden@host/x.jar",
        "https://user:hidden^@host/x.jar",
        "https://user:hidden%zz@host/x.jar",
        "https://host/a b.jar?X=hidden",
      })
  void noMessageShowsTheCredentialsOfTheJar(String uri) {
    JobSpec job = JobSpec.of(uri, 2, UpgradeMode.SAVEPOINT);

    assertThat(violations(resource(job, Map.of()), null, cluster(DIRECTORIES)))
        .contains("spec.job.jarURI")
        .doesNotContain("hidden");
  }

  @ParameterizedTest
  @CsvSource({"V1_16, '', true", "V1_16, RETAIN_ON_CANCELLATION, false", "V1_17, '', false"})
  void anOldClusterThatDeletesCheckpointsIsNamed(
      FlinkVersion version, String retention, boolean named) {
    Map<String, String> configuration =
        retention.isEmpty()
            ? Map.of()
            : Map.of("execution.checkpointing.externalized-checkpoint-retention", retention);
    SessionCluster old =
        SessionCluster.of(
            FlinkDeploymentSpec.EMPTY
                .withFlinkVersion(version)
                .withConfiguration(FlinkConfiguration.of(configuration)));
    JobSpec job = JobSpec.of("https://example.com/job.jar", 2, UpgradeMode.LAST_STATE);

    assertThat(SessionJobValidation.warnings(resource(job, Map.of()), old))
        .hasSize(named ? 1 : 0)
        .allSatisfy(it -> assertThat(it.toString()).startsWith("spec.job.upgradeMode: "));
  }

  @Test
  void directoriesOfTheClusterCount() {
    assertThat(violations(resource(JOB, Map.of()), null, cluster(DIRECTORIES))).isEmpty();
  }

  @Test
  void whatAMissingClusterMayConfigureIsNotAskedFor() {
    assertThat(violations(resource(JOB, Map.of()), null, SessionCluster.MISSING)).isEmpty();
  }

  @Test
  void aWrongValueOfTheClusterSaysWhereItComesFrom() {
    assertThat(
            violations(
                resource(JOB, DIRECTORIES),
                null,
                cluster(Map.of("execution.checkpointing.interval", "often"))))
        .startsWith("spec.flinkConfiguration.execution.checkpointing.interval: ")
        .endsWith("It comes from FlinkDeployment session");
  }

  @Test
  void theValueOfTheJobWinsOverThatOfTheCluster() {
    assertThat(
            violations(
                resource(JOB, Map.of("execution.checkpointing.interval", "1s")),
                null,
                SessionCluster.of(
                    FlinkDeploymentSpec.EMPTY.withConfiguration(
                        FlinkConfiguration.of(DIRECTORIES)
                            .withAll(Map.of("execution.checkpointing.interval", "often"))))))
        .isEmpty();
  }

  @Test
  void anApplicationIsNoSessionCluster() {
    SessionCluster application =
        SessionCluster.of(
            FlinkDeploymentSpec.EMPTY
                .withJob(JOB)
                .withConfiguration(FlinkConfiguration.of(DIRECTORIES)));

    assertThat(violations(resource(JOB, Map.of()), null, application))
        .isEqualTo(
            "spec.deploymentName: must name a session cluster, but FlinkDeployment session has a"
                + " job of its own. Name one without spec.job");
  }

  @Test
  void theClusterCannotBeChangedOnceSomethingIsDeployed() {
    FlinkSessionJob job = resource(JOB, Map.of());
    FrozenSessionJob last =
        new FrozenSessionJob(job.getSpec().withDeploymentName("other"), 1, true);

    assertThat(violations(job, last, cluster(DIRECTORIES)))
        .isEqualTo(
            "spec.deploymentName: cannot be changed from 'other' to 'session'. Revert the"
                + " change, or delete the resource and create it again");
  }

  @Test
  void aRedeploymentNeedsAPath() {
    FlinkSessionJob job = resource(JOB.withSavepointRedeployNonce(2L), Map.of());
    FrozenSessionJob last = new FrozenSessionJob(job.getSpec().withJob(JOB), 1, true);

    assertThat(violations(job, last, cluster(DIRECTORIES)))
        .startsWith("spec.job.initialSavepointPath: must be given");
  }

  @Test
  void aSettingOfTheClusterIsNamed() {
    assertThat(
            SessionJobValidation.warnings(
                resource(JOB, Map.of("taskmanager.numberOfTaskSlots", "2")), cluster(Map.of())))
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .contains("taskmanager.numberOfTaskSlots", "Set it in FlinkDeployment session");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.cluster.health-check.enabled",
        "kubernetes.operator.jm-deployment.shutdown-ttl",
        "kubernetes.operator.job.upgrade.inplace-scaling.enabled"
      })
  void aSettingOfTheOperatorThatMeansNothingHereIsNamed(String key) {
    assertThat(SessionJobValidation.warnings(resource(JOB, Map.of(key, "1")), cluster(Map.of())))
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .contains(key, "has no effect");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.cluster.health-check.restarts.threshold",
        "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled",
        "kubernetes.operator.job.submission.timeout",
        "kubernetes.operator.user.artifacts.base.dir",
        "kubernetes.operator.user.artifacts.allowed-schemes",
        "kubernetes.operator.user.artifacts.disallow-restricted-hosts",
        "kubernetes.operator.savepoint.trigger.grace-period",
        "kubernetes.operator.checkpoint.trigger.grace-period",
        "kubernetes.operator.reconcile.interval",
        "kubernetes.operator.job.savepoint-on-deletio",
        "job.autoscaler."
      })
  void whatNothingReadsOfASessionJobIsNamed(String key) {
    assertThat(
            SessionJobValidation.warnings(
                resource(JOB, Map.of(key.endsWith(".") ? key + "enabled" : key, "1")),
                cluster(Map.of())))
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .contains(key, "has no effect");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.session.deletion.block-on-session-jobs",
        "kubernetes.operator.session.deletion.block-on-unmanaged-jobs",
        "kubernetes.operator.jm-deployment.startup.probe.enabled",
        "kubernetes.operator.pod-template.merge-arrays-by-name"
      })
  void whatTheOperatorReadsOfTheClusterAloneIsNamed(String key) {
    assertThat(SessionJobValidation.warnings(resource(JOB, Map.of(key, "true")), cluster(Map.of())))
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .contains(key, "Set it in FlinkDeployment session");
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes.operator.user.artifacts.http.header, Authorization:Basic x",
    "kubernetes.operator.job.restart.failed, true",
    "kubernetes.operator.jm-deployment-recovery.enabled, false",
    "kubernetes.operator.job.upgrade.ignore-pending-savepoint, true",
    "kubernetes.operator.savepoint.history.max.count, 3",
    "kubernetes.operator.deployment.rollback.enabled, true",
  })
  void whatIsReadOfASessionJobHasAnEffect(String key, String value) {
    assertThat(SessionJobValidation.warnings(resource(JOB, Map.of(key, value)), cluster(Map.of())))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aWishForASnapshotHasAnEffectWithAndWithoutFlinkStateSnapshots(String resources) {
    FlinkSessionJob asks =
        resource(
            JOB.withSavepointTriggerNonce(1L).withCheckpointTriggerNonce(2L),
            Map.of("kubernetes.operator.periodic.savepoint.interval", "6h"));
    asks.getMetadata().setAnnotations(Map.of(Annotations.SAVEPOINT, "now"));

    assertThat(
            SessionJobValidation.warnings(
                asks, cluster(Map.of("kubernetes.operator.snapshot.resource.enabled", resources))))
        .isEmpty();
  }

  @Test
  void anOlderFlinkTakesNoConfigurationOfAJob() {
    SessionCluster old =
        SessionCluster.of(FlinkDeploymentSpec.EMPTY.withFlinkVersion(FlinkVersion.V1_16));

    assertThat(
            SessionJobValidation.warnings(
                resource(
                    JOB,
                    Map.of(
                        "execution.checkpointing.interval", "1s",
                        "kubernetes.operator.job.savepoint-on-deletion", "true")),
                old))
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .contains("execution.checkpointing.interval", "1.17");
  }
}
