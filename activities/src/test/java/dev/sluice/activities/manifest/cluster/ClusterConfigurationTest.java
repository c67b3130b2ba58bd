package dev.sluice.activities.manifest.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.highavailability.JobResultStoreOptions;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.jobmanager.HighAvailabilityMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterConfigurationTest {
  private static final Map<String, String> HA =
      Map.of(
          "high-availability.type", "kubernetes", "high-availability.storageDir", "s3://bucket/ha");

  @ParameterizedTest
  @EnumSource(
      value = FlinkVersion.class,
      names = {"V1_19", "V1_20", "V2_2"})
  void flinkRestoresFromThePathGivenAndNotFromTheUsers(FlinkVersion version) {
    ClusterTarget target =
        Targets.of(
            Targets.SPEC
                .withFlinkVersion(version)
                .withConfiguration(
                    FlinkConfiguration.of(
                        Map.of(
                            "execution.savepoint.path", "s3://bucket/users",
                            "execution.state-recovery.path", "s3://bucket/users-too"))),
            Targets.JOB_ID,
            new StateRef.Savepoint("s3://bucket/ours"));

    assertThat(asFlinkReadsIt(target).getRestorePath()).isEqualTo("s3://bucket/ours");
  }

  @ParameterizedTest
  @ValueSource(strings = {"execution.savepoint.path", "execution.state-recovery.path"})
  void nothingToRestoreMeansNothingIsRestored(String usersKey) {
    ClusterTarget target = Targets.configured(Map.of(usersKey, "s3://bucket/users"));

    assertThat(asFlinkReadsIt(target).restoreSavepoint()).isFalse();
  }

  /** Its jobs would inherit them, and a request to run a job cannot take a path back. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "execution.savepoint.path",
        "execution.state-recovery.path",
        "execution.savepoint-restore-mode",
        "execution.state-recovery.claim-mode",
      })
  void aSessionClusterSaysOfNoJobWhatItStartsFrom(String key) {
    ClusterTarget session =
        Targets.of(
            Targets.SPEC
                .withJob(null)
                .withConfiguration(FlinkConfiguration.of(Map.of(key, "CLAIM"))),
            Targets.JOB_ID,
            new StateRef.Empty("a test"));

    assertThat(ClusterConfiguration.of(session).has(key)).isFalse();
  }

  /** FLINK-35292: Flink ignores the path while there is metadata, and fails on it otherwise. */
  @ParameterizedTest
  @EnumSource(
      value = FlinkVersion.class,
      names = {"V1_19", "V1_20", "V2_2"})
  void aJobWhoseMetadataIsLostFailsAndDoesNotStartEmpty(FlinkVersion version) {
    ClusterTarget target =
        Targets.of(
            Targets.SPEC.withFlinkVersion(version).withConfiguration(FlinkConfiguration.of(HA)),
            Targets.JOB_ID,
            new StateRef.HaMetadata(Targets.JOB_ID));

    assertThat(asFlinkReadsIt(target).getRestorePath())
        .isEqualTo("high-availability-metadata-is-missing");
  }

  @Test
  void withoutHighAvailabilityNoJobGoesOnFromMetadata() {
    ClusterTarget target =
        Targets.of(Targets.SPEC, Targets.JOB_ID, new StateRef.HaMetadata(Targets.JOB_ID));

    assertThatThrownBy(() -> configuration(target)).hasMessageContaining("high-availability.type");
  }

  /** Going back, after an abort, needs what the job was started from. */
  @ParameterizedTest
  @CsvSource({
    "execution.state-recovery.claim-mode, CLAIM",
    "execution.savepoint-restore-mode, CLAIM",
    "execution.savepoint-restore-mode, LEGACY",
  })
  void noJobOwnsWhatItStartsFrom(String key, String mode) {
    ClusterTarget target = Targets.configured(Map.of(key, mode));

    assertThat(ClusterConfiguration.of(target).asMap())
        .doesNotContainKeys(
            "execution.state-recovery.claim-mode", "execution.savepoint-restore-mode");
  }

  @Test
  void flinkToleratesStateWithoutOperatorWhenAllowed() {
    ClusterTarget target =
        Targets.of(
            Targets.SPEC.withJob(Targets.SPEC.job().withAllowNonRestoredState(true)),
            Targets.JOB_ID,
            new StateRef.Savepoint("s3://bucket/ours"));

    assertThat(asFlinkReadsIt(target).allowNonRestoredState()).isTrue();
  }

  @Test
  void aFinishedJobIsRememberedForThisJobIdOnly() {
    Configuration flink = Configuration.fromMap(configuration(Targets.configured(HA)).asMap());

    assertThat(flink.get(JobResultStoreOptions.DELETE_ON_COMMIT)).isFalse();
    assertThat(flink.get(JobResultStoreOptions.STORAGE_PATH))
        .isEqualTo("s3://bucket/ha/job-result-store/orders/" + Targets.JOB_ID);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "recovery.mode, standalone",
    "recovery.mode, zookeeper",
    "high-availability, NONE",
    "high-availability, standalone",
    "high-availability.type, kubernetes",
  })
  void highAvailabilityIsOnWhereFlinkSaysSo(String key, String value) {
    boolean inFlink =
        HighAvailabilityMode.isHighAvailabilityModeActivated(
            Configuration.fromMap(Map.of(key, value)));

    assertThat(
            configuration(Targets.configured(Map.of(key, value)))
                .has("high-availability.cluster-id"))
        .isEqualTo(inFlink);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rest.port",
        "rest.bind-port",
        "jobmanager.rpc.port",
        "blob.server.port",
        "taskmanager.rpc.port"
      })
  void aServiceNeedsOnePort(String key) {
    ClusterTarget target = Targets.configured(Map.of(key, "8081-8090"));

    assertThatThrownBy(() -> configuration(target))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("flinkConfiguration." + key)
        .hasMessageContaining("8081-8090");
  }

  private static FlinkConfiguration configuration(ClusterTarget target) {
    return ClusterConfiguration.of(target);
  }

  private static SavepointRestoreSettings asFlinkReadsIt(ClusterTarget target) {
    return SavepointRestoreSettings.fromConfiguration(
        Configuration.fromMap(configuration(target).asMap()));
  }
}
