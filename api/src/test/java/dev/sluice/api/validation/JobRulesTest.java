package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Name, version, jar, log files and directories. */
class JobRulesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "orders, true",
    "a, true",
    "a-1, true",
    "a23456789-123456789-123456789-123456789-12345, true",
    "a23456789-123456789-123456789-123456789-123456, false",
    "1orders, false",
    "Orders, false",
    "orders-, false",
    "or.ders, false",
    "'', false",
  })
  void theNameMustFitFlinksLabels(String name, boolean fine) {
    FlinkDeployment resource = Specs.resource(Specs.VALID);
    resource.getMetadata().setName(name);

    assertThat(SpecValidation.validate(resource, null).isEmpty()).isEqualTo(fine);
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkVersion.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"V1_13", "V1_14"})
  void aVersionFrom15OnIsSupported(FlinkVersion version) {
    assertThat(Specs.messages(Specs.VALID.withFlinkVersion(version))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkVersion.class,
      names = {"V1_13", "V1_14"})
  void anOlderOneIsNot(FlinkVersion version) {
    assertThat(Specs.messages(Specs.VALID.withFlinkVersion(version)))
        .containsExactly(
            "spec.flinkVersion: must be v1_15 or later, but is "
                + version
                + ". Use a later Flink version");
  }

  @Test
  void theVersionMustBeGiven() {
    assertThat(Specs.messages(Specs.VALID.withFlinkVersion(null)))
        .containsExactly(
            "spec.flinkVersion: must be given. Set it to the Flink version in the image, for"
                + " example v1_20");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local:///opt/a.jar", "https://host/a.jar?x=y", "s3://b/a.jar", "a.jar"})
  void aJarIsAUri(String jar) {
    assertThat(Specs.messages(Specs.VALID.withJob(Specs.JOB.withJarURI(jar)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "local:///opt/my job.jar", "http://[::1", "C:\\a.jar"})
  void whatIsNoUriIsNoJar(String jar) {
    assertThat(Specs.messages(Specs.VALID.withJob(Specs.JOB.withJarURI(jar))))
        .containsExactly(
            "spec.job.jarURI: must be a URI such as local:///opt/flink/usrlib/job.jar, but is '"
                + jar
                + "'");
  }

  @Test
  void withoutAJarTheClassIsOnTheClassPath() {
    assertThat(Specs.messages(Specs.VALID.withJob(Specs.JOB.withJarURI(null)))).isEmpty();
  }

  @ParameterizedTest(name = "{0}, {1}, {2}")
  @CsvSource({
    "before-the-change, , , ''",
    ", s3://b/sp, , ''",
    "before-the-change, s3://b/sp, , ''",
    "' ', , , 'must have the name of a FlinkStateSnapshot, or a path'",
    ", , , 'must have the name of a FlinkStateSnapshot, or a path'",
    "before-the-change, , s3://b/other, 'cannot be given together with spec.job.initialSavepointPath. Remove one of them'",
  })
  void aSnapshotToStartFromIsNamedOnce(String name, String path, String initial, String problem) {
    FlinkDeploymentSpec spec =
        Specs.VALID.withJob(
            Specs.JOB
                .withFlinkStateSnapshotReference(new SnapshotReference(null, name, path))
                .withInitialSavepointPath(initial));

    assertThat(Specs.messages(spec))
        .isEqualTo(
            problem.isEmpty()
                ? List.of()
                : List.of("spec.job.flinkStateSnapshotReference: " + problem));
  }

  @ParameterizedTest
  @CsvSource({", before-{{date}}", ", a b", "n%s, before", "N, before"})
  void aNameThatNoSnapshotCanHaveIsRefused(String namespace, String name) {
    SnapshotReference reference = new SnapshotReference(namespace, name, null);

    assertThat(
            Specs.messages(
                Specs.VALID.withJob(Specs.JOB.withFlinkStateSnapshotReference(reference))))
        .containsExactly(
            "spec.job.flinkStateSnapshotReference: must have a name and a namespace of lower-case"
                + " letters, digits, '-' and '.', but names '"
                + reference.display()
                + "'");
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({
    "state.checkpoints.dir, state.savepoints.dir",
    "execution.checkpointing.dir, execution.checkpointing.savepoint-dir",
    "state.backend.fs.checkpointdir, savepoints.state.backend.fs.dir",
  })
  void stateNeedsDirectoriesUnderAnyOfTheirNames(String checkpoints, String savepoints) {
    FlinkDeploymentSpec spec =
        Specs.VALID
            .withConfiguration(
                FlinkConfiguration.of(Map.of(checkpoints, "s3://b/c", savepoints, "s3://b/s")))
            .withJob(Specs.JOB.withUpgradeMode(UpgradeMode.SAVEPOINT));

    assertThat(Specs.messages(spec)).isEmpty();
  }

  @Test
  void withoutThemItIsRefused() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withJob(
            Specs.JOB.withUpgradeMode(UpgradeMode.SAVEPOINT).withSavepointTriggerNonce(1L));

    assertThat(Specs.messages(spec))
        .containsExactly(
            "spec.flinkConfiguration.state.checkpoints.dir: must be given for upgradeMode"
                + " savepoint. Set it to durable storage",
            "spec.flinkConfiguration.state.savepoints.dir: must be given for upgradeMode savepoint."
                + " Set it to durable storage",
            "spec.job.savepointTriggerNonce: a savepoint needs a directory for savepoints. Set"
                + " spec.flinkConfiguration.state.savepoints.dir");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.operator.periodic.savepoint.interval",
        "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age",
      })
  void whateverTakesSavepointsNeedsADirectory(String key) {
    assertThat(Specs.messages(Specs.configured(key, "1 h")))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key)
        .contains("needs a directory for savepoints");
  }

  @Test
  void noPeriodicSavepointNeedsNoDirectory() {
    assertThat(
            Specs.messages(
                Specs.configured("kubernetes.operator.periodic.savepoint.interval", "0")))
        .isEmpty();
  }
}
