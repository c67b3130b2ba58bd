package dev.sluice.api.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChildEditsTest {

  private static final JobSpec JOB =
      JobSpec.of("local:///opt/orders.jar", 2, UpgradeMode.SAVEPOINT);

  private static final FlinkDeploymentSpec SPEC =
      FlinkDeploymentSpec.EMPTY
          .withImage("registry/orders:1")
          .withFlinkVersion(FlinkVersion.V2_2)
          .withJob(JOB);

  private static List<String> edits(FlinkDeploymentSpec child, @Nullable JobSpec sessionJob) {
    FlinkBlueGreenDeploymentSpec reached =
        FlinkBlueGreenDeploymentSpec.EMPTY.withTemplate(
            new ChildTemplate(new ChildMetadata(Map.of(), Map.of()), SPEC));
    return ChildEdits.of(
            new FrozenBlueGreen(reached, 3), "orders", "orders-blue", child, sessionJob)
        .stream()
        .map(SpecChange::toString)
        .toList();
  }

  @Test
  void aChildIsAsItsParentSays() {
    assertThat(edits(SPEC, null)).isEmpty();
  }

  @Test
  void eachFieldThatDiffersIsNamed() {
    FlinkDeploymentSpec edited =
        SPEC.withImage("registry/orders:2")
            .withJob(JOB.withState(DesiredJobState.SUSPENDED).withEntryClass("other.Main"));

    assertThat(edits(edited, null))
        .containsExactly(
            "spec.image: registry/orders:1 -> registry/orders:2",
            "spec.job.entryClass: (none) -> other.Main",
            "spec.job.state: running -> suspended");
  }

  @Test
  void whatItStartsFromAndHowItIsStoppedIsItsOwn() {
    JobSpec own =
        JOB.withInitialSavepointPath("s3://b/savepoint-1").withUpgradeMode(UpgradeMode.LAST_STATE);

    assertThat(edits(SPEC.withJob(own), null)).isEmpty();
    assertThat(edits(cluster(), own)).isEmpty();
  }

  private static FlinkDeploymentSpec cluster() {
    return SessionTemplate.of(new ChildTemplate(new ChildMetadata(Map.of(), Map.of()), SPEC))
        .cluster();
  }

  @Test
  void aSessionClusterAndItsJobAreComparedEach() {
    assertThat(edits(cluster(), JOB)).isEmpty();
    assertThat(edits(cluster().withImage("registry/orders:2"), JOB.withParallelism(4)))
        .containsExactly(
            "spec.image: registry/orders:1 -> registry/orders:2", "spec.job.parallelism: 2 -> 4");
  }

  /** It puts the name of the child in the place of that of the parent. */
  @Test
  void aChildThatApachesOperatorHasMadeIsNotEdited() {
    FlinkDeploymentSpec byApache =
        SPEC.withImage("registry/orders-blue:1")
            .withJob(JOB.withJarURI("local:///opt/orders-blue.jar"));

    assertThat(edits(byApache, null)).isEmpty();
    assertThat(edits(byApache.withImage("registry/orders-blue:2"), null)).isNotEmpty();
  }
}
