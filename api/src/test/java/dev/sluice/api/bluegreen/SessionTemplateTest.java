package dev.sluice.api.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SessionTemplateTest {

  private static final FlinkDeploymentSpec SPEC =
      FlinkDeploymentSpec.EMPTY
          .withFlinkVersion(FlinkVersion.V2_2)
          .withConfiguration(FlinkConfiguration.of(Map.of("taskmanager.numberOfTaskSlots", "2")))
          .withJob(JobSpec.of("local:///job.jar", 3, UpgradeMode.SAVEPOINT));

  private static SessionTemplate of(FlinkDeploymentSpec spec) {
    return SessionTemplate.of(new ChildTemplate(ChildMetadata.EMPTY, spec));
  }

  private static FlinkDeploymentSpec whole(SessionTemplate template) {
    return SessionTemplate.whole(template.cluster(), Objects.requireNonNull(template.job()));
  }

  @Test
  void aNativeClusterStartsTheSlotsOfTheJobBeforeIt() {
    SessionTemplate template = of(SPEC);

    assertThat(template.cluster().isApplication()).isFalse();
    assertThat(template.cluster().configuration().get(SessionTemplate.MIN_SLOTS)).contains("3");
    assertThat(template.job()).isEqualTo(SPEC.job());
    assertThat(whole(template)).isEqualTo(SPEC);
  }

  @Test
  void whatTheUserSaysOfSlotsStays() {
    FlinkDeploymentSpec own =
        SPEC.withConfiguration(SPEC.configuration().with(SessionTemplate.MIN_SLOTS, "8"));

    assertThat(of(own).cluster().configuration().get(SessionTemplate.MIN_SLOTS)).contains("8");
    assertThat(whole(of(own))).isEqualTo(own);
  }

  @Test
  void anOlderFlinkKnowsNoSuchKey() {
    FlinkDeploymentSpec older = SPEC.withFlinkVersion(FlinkVersion.V1_18);

    assertThat(of(older).cluster().configuration().has(SessionTemplate.MIN_SLOTS)).isFalse();
    assertThat(whole(of(older))).isEqualTo(older);
  }

  @Test
  void aStandaloneClusterHasTheTaskManagersOfTheJob() {
    FlinkDeploymentSpec standalone = SPEC.withMode(KubernetesDeploymentMode.STANDALONE);

    assertThat(of(standalone).cluster().taskManager().replicas()).isEqualTo(2);
    assertThat(whole(of(standalone))).isEqualTo(standalone);
  }

  @Test
  void theParallelismOfGivenTaskManagersIsThatOfTheJob() {
    FlinkDeploymentSpec given = SPEC.withTaskManager(SPEC.taskManager().withReplicas(4));

    assertThat(Objects.requireNonNull(of(given).job()).parallelism()).isEqualTo(8);
    assertThat(of(given).cluster().taskManager().replicas()).isNull();
  }
}
