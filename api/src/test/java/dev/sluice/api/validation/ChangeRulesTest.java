package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What depends on what is deployed. */
class ChangeRulesTest {
  private static final String REVERT =
      ". Revert the change, or delete the resource and create it again";

  private static Iterable<String> messages(FlinkDeploymentSpec spec, FlinkDeploymentSpec before) {
    return Specs.violations(spec, before).stream().map(Violation::toString).toList();
  }

  @Test
  void theJobCannotBeRemoved() {
    assertThat(messages(Specs.VALID.withJob(null), Specs.VALID))
        .contains(
            "spec.job: cannot be removed: an application cluster cannot become a session cluster"
                + REVERT);
  }

  @Test
  void aJobCannotBeAddedToASessionCluster() {
    assertThat(messages(Specs.VALID, Specs.VALID.withJob(null)))
        .containsExactly("spec.job: cannot be added to a session cluster" + REVERT);
  }

  @Test
  void theModeCannotChange() {
    FlinkDeploymentSpec before = Specs.VALID.withMode(KubernetesDeploymentMode.STANDALONE);

    assertThat(messages(Specs.VALID, before))
        .containsExactly("spec.mode: cannot be changed from standalone to native" + REVERT);
  }

  @Test
  void aRedeploymentNeedsAPath() {
    FlinkDeploymentSpec spec = Specs.VALID.withJob(Specs.JOB.withSavepointRedeployNonce(1L));

    assertThat(messages(spec, Specs.VALID))
        .contains(
            "spec.job.initialSavepointPath: must be given when savepointRedeployNonce changes. Set"
                + " it to the savepoint to start from");
  }

  @Test
  void aRedeploymentMayNameASnapshot() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withJob(
            Specs.JOB
                .withSavepointRedeployNonce(1L)
                .withFlinkStateSnapshotReference(new SnapshotReference(null, "s", null)));

    assertThat(messages(spec, Specs.VALID)).isEmpty();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({"1, 2, true", ", 2, true", "1, 1, false", "1, , false", ", , false"})
  void onlyAnotherNumberAsksForARedeployment(Long before, Long after, boolean asked) {
    FlinkDeploymentSpec old = Specs.VALID.withJob(Specs.JOB.withSavepointRedeployNonce(before));

    assertThat(messages(old.withJob(Specs.JOB.withSavepointRedeployNonce(after)), old))
        .hasSize(asked ? 1 : 0);
  }

  @ParameterizedTest(name = "{0} {1} -> {2}")
  @CsvSource({
    "SUSPENDED, LAST_STATE, V2_0, true",
    "SUSPENDED, LAST_STATE, V1_20, false",
    "SUSPENDED, SAVEPOINT, V2_0, false",
    "RUNNING, LAST_STATE, V2_0, false",
  })
  void theVersionCannotChangeWhileSuspendedWithLastState(
      DesiredJobState state, UpgradeMode mode, FlinkVersion version, boolean refused) {
    FlinkDeploymentSpec before =
        Specs.VALID.withJob(Specs.JOB.withState(state).withUpgradeMode(mode));
    FlinkDeploymentSpec spec =
        Specs.VALID
            .withFlinkVersion(version)
            .withJob(Specs.JOB.withUpgradeMode(UpgradeMode.SAVEPOINT));

    assertThat(Specs.violations(spec, before).stream().map(Violation::path).toList())
        .filteredOn("spec.flinkVersion"::equals)
        .hasSize(refused ? 1 : 0);
  }

  @Test
  void anythingElseMayChange() {
    FlinkDeploymentSpec spec =
        Specs.VALID
            .withImage("flink:2.0")
            .withFlinkVersion(FlinkVersion.V2_0)
            .withRestartNonce(7L)
            .withJob(Specs.JOB.withParallelism(8));

    assertThat(messages(spec, Specs.VALID)).isEmpty();
  }
}
