package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.VersionSeen;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import dev.sluice.workflows.model.JobObservation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What is observed of a version. */
class VersionProbeTest extends VersionJobScenario {

  private Optional<ApplicationJobStatus> lastSeen = Optional.empty();
  private FakeFlink asked = flink;

  @BeforeEach
  void bothAreThere() {
    kubernetes = new VersionLook(deployment(), deployment(), List.of(), null, true);
  }

  private static Deployment deployment() {
    return new DeploymentBuilder().withNewMetadata().endMetadata().build();
  }

  private VersionSeen seen() {
    VersionProbe probe = new VersionProbe(version, asked, clock);
    VersionProbe.Answer unused = probe.look();
    clock.advance(Duration.ofSeconds(30));
    return probe.seen(probe.look(), kubernetes, lastSeen);
  }

  private void lastSeen(FlinkJobState state) {
    lastSeen = Optional.of(ApplicationJobStatus.EMPTY.withJobID(JOB).withState(state));
  }

  @ParameterizedTest
  @EnumSource(names = {"FINISHED", "CANCELED", "FAILED"})
  void aJobThatHadEndedBeforeFlinkForgotItHasEnded(FlinkJobState state) {
    asked = new FakeFlink();
    lastSeen(state);

    assertThat(seen().job())
        .isInstanceOfSatisfying(
            JobObservation.Ended.class, ended -> assertThat(ended.state()).isEqualTo(state));
  }

  @Test
  void aJobThatHadEndedBeforeItsClusterWentHasEnded() {
    clusterIsGone();
    lastSeen(FlinkJobState.FINISHED);

    assertThat(seen().job()).isInstanceOf(JobObservation.Ended.class);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"FINISHED", "CANCELED", "FAILED"},
      mode = Mode.EXCLUDE)
  void aJobThatFlinkForgotWhileItRanIsAbsent(FlinkJobState state) {
    asked = new FakeFlink();
    lastSeen(state);

    assertThat(seen().job()).isInstanceOf(JobObservation.Absent.class);
  }

  @Test
  void whatFlinkKnowsOfAJobCounts() {
    lastSeen(FlinkJobState.FAILED);

    assertThat(seen().isUp()).isTrue();
  }

  @Test
  void aClusterWithoutItsTaskManagersIsAskedForItsJob() {
    kubernetes = new VersionLook(deployment(), null, List.of(), null, true);

    VersionSeen seen = seen();

    assertThat(seen.cluster()).isEqualTo(Cluster.INCOMPLETE);
    assertThat(seen.job()).isInstanceOf(JobObservation.Alive.class);
    assertThat(seen.problem()).contains("TaskManager Deployment");
  }

  /** What answers at its Service is a JobManager that is about to go. */
  @Test
  void aClusterWithoutItsJobManagerIsMissing() {
    kubernetes = new VersionLook(null, deployment(), List.of(), null, true);

    VersionSeen seen = seen();

    assertThat(seen.cluster()).isEqualTo(Cluster.MISSING);
    assertThat(seen.job()).isInstanceOf(JobObservation.Unreachable.class);
  }

  /** {@code --cascade=orphan}. */
  @Test
  void aJobManagerWhoseDeploymentAloneWasDeletedIsAskedForItsJob() {
    kubernetes = new VersionLook(null, deployment(), List.of(jobManager()), null, true);

    VersionSeen seen = seen();

    assertThat(seen.cluster()).isEqualTo(Cluster.INCOMPLETE);
    assertThat(seen.job()).isInstanceOf(JobObservation.Alive.class);
    assertThat(seen.problem()).contains("JobManager Deployment");

    kubernetes = new VersionLook(null, null, List.of(jobManager()), null, true);
    assertThat(seen().cluster()).isEqualTo(Cluster.INCOMPLETE);
  }

  @Test
  void aJobManagerThatTerminatesIsNotAsked() {
    Pod terminating = jobManager();
    terminating.getMetadata().setDeletionTimestamp("2026-11-26T02:00:00Z");
    kubernetes = new VersionLook(null, deployment(), List.of(terminating), null, true);

    assertThat(seen().cluster()).isEqualTo(Cluster.MISSING);
    assertThat(seen().job()).isInstanceOf(JobObservation.Unreachable.class);

    kubernetes = new VersionLook(null, null, List.of(terminating), null, true);
    assertThat(seen().cluster()).isEqualTo(Cluster.DELETING);
  }

  private static Pod jobManager() {
    return new PodBuilder()
        .withNewMetadata()
        .addToLabels("flink-deployment-type", "jobmanager")
        .endMetadata()
        .build();
  }

  @Test
  void withHighAvailabilityItsJobComesBackWithItsCluster() {
    assertThat(seen().comesBack()).isFalse();

    version =
        new FrozenVersion(
            version.application(),
            version.ref(),
            version
                .spec()
                .withFlinkConfig(
                    JsonNodeFactory.instance.objectNode().put("high-availability", "kubernetes")));

    assertThat(seen().comesBack()).isTrue();
  }
}
