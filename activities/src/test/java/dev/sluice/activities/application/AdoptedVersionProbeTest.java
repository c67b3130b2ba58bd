package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.workflows.application.VersionSeen;
import dev.sluice.workflows.model.JobObservation;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is seen of a version of Lyft's operator whose job is not recorded. */
class AdoptedVersionProbeTest extends VersionJobScenario {

  private VersionSeen seen() {
    return seen(probe());
  }

  private VersionProbe probe() {
    FrozenVersion unknown =
        new FrozenVersion(version.application(), version.ref().running(null), version.spec());
    return new VersionProbe(unknown, flink, clock);
  }

  private static VersionSeen seen(VersionProbe probe) {
    return probe.seen(
        probe.look(),
        new VersionLook(deployment(), deployment(), List.of(), null, true),
        Optional.empty());
  }

  private static Deployment deployment() {
    return new DeploymentBuilder().withNewMetadata().withName("orders").endMetadata().build();
  }

  @Test
  void theJobsOfItsClusterAreToldByTheirIds() {
    VersionSeen seen = seen();

    assertThat(seen.job()).isInstanceOf(JobObservation.NeverStarted.class);
    assertThat(seen.otherJobs()).containsExactly(JOB);
  }

  @Test
  void aClusterThatHasNoJobSaysSo() {
    flink.noJob();

    assertThat(seen().job()).isInstanceOf(JobObservation.NeverStarted.class);
    assertThat(seen().otherJobs()).isEmpty();
  }

  @Test
  void aSilentJobManagerMayHaveOne() {
    flink.up(false);

    assertThat(seen().job()).isInstanceOf(JobObservation.Unreachable.class);
  }

  @Test
  void withHighAvailabilityAJobManagerThatStartsHasItsJobsALittleLater() {
    flink.noJob();
    version =
        new FrozenVersion(
            version.application(),
            version.ref(),
            version
                .spec()
                .withFlinkConfig(
                    JsonNodeFactory.instance.objectNode().put("high-availability", "kubernetes")));
    VersionProbe probe = probe();

    assertThat(seen(probe).job()).isInstanceOf(JobObservation.Unreachable.class);
    assertThat(probe.look().probe().settled()).isFalse();

    clock.advance(Duration.ofSeconds(21));
    assertThat(seen(probe).job()).isInstanceOf(JobObservation.NeverStarted.class);
    assertThat(probe.look().probe().settled()).isTrue();
  }
}
