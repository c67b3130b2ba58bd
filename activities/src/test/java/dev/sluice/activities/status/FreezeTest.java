package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a workflow is told of the spec that it has frozen. */
class FreezeTest {

  private static final FlinkDeploymentSpec ROLLED_BACK =
      Deployed.SPEC.withConfiguration(
          Deployed.SPEC
              .configuration()
              .with("kubernetes.operator.deployment.rollback.enabled", "true"));

  private static StoredResource lastStable(DesiredJobState state) {
    return lastStable(ROLLED_BACK.job().withState(state));
  }

  private static StoredResource lastStable(JobSpec job) {
    FlinkDeployment resource = Deployed.orders("default");
    resource.getMetadata().setUid(Refs.UID);
    resource.getMetadata().setGeneration(3L);
    resource.setSpec(ROLLED_BACK);
    FlinkDeploymentSpec stable = ROLLED_BACK.withJob(job);
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY.withLastStableSpec(
                new FrozenSpec(stable, 2, false).toJson())));
    return Stored.of(resource);
  }

  @Test
  void anUpgradeIsRolledBackByItselfWhereTheSpecSaysSo() {
    StoredResource resource = lastStable(DesiredJobState.RUNNING);

    assertThat(Freeze.told(resource, resource.newest()).rollsBack()).isTrue();
  }

  /** Also when a second spec is applied before the first one after the suspension is up. */
  @Test
  void aResumeIsNotRolledBackToTheSuspension() {
    StoredResource resource = lastStable(DesiredJobState.SUSPENDED);

    assertThat(Freeze.told(resource, resource.newest()).rollsBack()).isFalse();
  }

  @Test
  void whereTheStableSpecIsStatelessItsJobMayStartEmptyAgain() {
    StoredResource stateless = lastStable(ROLLED_BACK.job().withUpgradeMode(UpgradeMode.STATELESS));
    StoredResource withState = lastStable(ROLLED_BACK.job());

    assertThat(Freeze.told(stateless, stateless.newest()).afterStateless()).isTrue();
    assertThat(Freeze.told(withState, withState.newest()).afterStateless()).isFalse();
  }

  @Test
  void whatTheResourceAsksForBeforeAJobIsStableIsFrozenWithItsTarget() {
    StoredResource resource = lastStable(DesiredJobState.RUNNING);
    assertThat(Freeze.told(resource, resource.newest()).stableAfter()).isNull();

    resource.metadata().setAnnotations(Map.of(Annotations.STABLE_AFTER, "2m"));

    StableAfter twoMinutes = new StableAfter(120_000);
    assertThat(Freeze.told(resource, resource.newest()).stableAfter()).isEqualTo(twoMinutes);
    assertThat(Freeze.frozen(resource, resource.stable().orElseThrow()).stableAfter())
        .isEqualTo(twoMinutes);
  }
}
