package dev.sluice.activities.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What is deployed keeps the defaults that it was deployed with; the next upgrade takes new ones.
 */
class DefaultConfigurationOfDeploymentsTest {

  private static final String KEY = "restart-strategy.fixed-delay.delay";

  private static final String SAVEPOINT = "kubernetes.operator.job.savepoint-on-deletion";

  private static final DefaultConfiguration THEN = defaults(KEY, "1 s");
  private static final DefaultConfiguration NOW = defaults(KEY, "2 s");

  @Test
  void aChangeOfADefaultAsksForNothing() {
    StoredResource stored = Stored.of(deployed(), NOW, StableAfter.NONE);

    assertThat(stored.observed().newest().sameAsFrozen()).isTrue();
    assertThat(stored.observed().newest().sameAsStable()).isTrue();
    assertThat(stored.frozen().orElseThrow().configuration().get(KEY)).contains("1 s");
    assertThat(stored.newest().configuration().get(KEY)).contains("2 s");
  }

  @Test
  void anUpgradeTakesTheNewestAndAWayBackThoseOfItsTime() {
    StoredResource stored = Stored.of(deployed(), NOW, StableAfter.NONE);

    assertThat(rendered(stored.newest())).contains(KEY + ": \"2 s\"");
    assertThat(rendered(stored.stable().orElseThrow())).contains(KEY + ": \"1 s\"");
    assertThat(rendered(stored.parsed(stored.stable().orElseThrow().json()).orElseThrow()))
        .contains(KEY + ": \"1 s\"");
  }

  @Test
  void aDefaultThatBreaksARuleIsAProblemOfTheNewestSpecOnly() {
    StoredResource stored =
        Stored.of(deployed(), defaults("taskmanager.numberOfTaskSlots", "many"), StableAfter.NONE);

    assertThat(stored.problem())
        .contains("taskmanager.numberOfTaskSlots", "operator's default configuration");
    assertThat(stored.frozen()).isPresent();
    FlinkDeployment same = deployed();
    same.getMetadata().setGeneration(1L);
    assertThat(
            Stored.of(same, defaults("taskmanager.numberOfTaskSlots", "many"), StableAfter.NONE)
                .problem())
        .as("of a spec that is frozen")
        .isNull();
  }

  /** A run that begins anew, or a retry, freezes the spec again that its cluster is made from. */
  @Test
  void aSpecThatIsFrozenAgainKeepsItsDefaults() {
    FlinkDeployment resource = deployed();
    resource.getMetadata().setGeneration(1L);

    StoredResource stored = Stored.of(resource, NOW, StableAfter.NONE);

    assertThat(rendered(stored.newest())).contains(KEY + ": \"1 s\"");
    assertThat(FrozenSpec.parse(stored.newest().json()).defaults())
        .isEqualTo(FlinkConfiguration.of(Map.of(KEY, "1 s")));
  }

  @Test
  void whatApachesOperatorFrozeTakesTheDefaultsOfNow() {
    FlinkDeployment resource = deployed();
    resource.getMetadata().setGeneration(1L);
    FrozenSpec theirs = new FrozenSpec(Deployed.SPEC, 1, true, null);
    resource.setStatus(frozen(theirs.toJson()));

    assertThat(rendered(Stored.of(resource, NOW, StableAfter.NONE).newest()))
        .contains(KEY + ": \"2 s\"");
  }

  @Test
  void aSavepointThatADefaultOfThatTimeAsksForIsTakenUnlessTheSpecSaysNo() {
    FlinkDeployment resource = deployed();
    resource.setStatus(frozen(withSavepoint("true")));

    assertThat(Stored.of(resource, NOW, StableAfter.NONE).observed().deletionSavepointMs())
        .isPositive();
    resource.setSpec(
        Deployed.SPEC.withConfiguration(Deployed.SPEC.configuration().with(SAVEPOINT, "false")));
    assertThat(Stored.of(resource, NOW, StableAfter.NONE).observed().deletionSavepointMs())
        .isZero();
  }

  private static String withSavepoint(String value) {
    return new FrozenSpec(Deployed.SPEC, 1, true, FlinkConfiguration.of(Map.of(SAVEPOINT, value)))
        .toJson();
  }

  private static String rendered(TargetSpec spec) {
    JobRef job = new JobRef(new ClusterRef("default", "orders"), Refs.JOB_ID);
    return String.join(
        "\n",
        spec.render(job, new StateRef.Empty("a test")).configMaps().get(0).getData().values());
  }

  private static FlinkDeployment deployed() {
    FlinkDeployment resource = Deployed.orders("default");
    resource.getMetadata().setUid("0a1b2c3d-0000-4000-8000-000000000001");
    String json =
        new FrozenSpec(
                Deployed.SPEC, 1, true, THEN.forResource("default", Deployed.SPEC.flinkVersion()))
            .toJson();
    resource.setStatus(frozen(json));
    return resource;
  }

  private static FlinkDeploymentStatus frozen(String json) {
    return FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
        ReconciliationStatus.EMPTY
            .withLastReconciledSpec(json)
            .withLastStableSpec(json)
            .withState(ReconciliationState.DEPLOYED));
  }

  private static DefaultConfiguration defaults(String key, String value) {
    return DefaultConfiguration.of(FlinkConfiguration.of(Map.of(key, value)));
  }
}
