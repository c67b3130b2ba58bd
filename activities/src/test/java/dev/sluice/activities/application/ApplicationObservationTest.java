package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationSeen;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.VersionLimits;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import dev.sluice.workflows.model.JobObservation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is waited for while an application is observed. */
class ApplicationObservationTest {

  private static final VersionRef DEPLOYED =
      Applications.version("1a2b3c4d5e", null, FakeFlink.JOB);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();
  private VersionLook kubernetes =
      new VersionLook(deployment(), deployment(), List.of(jobManager()), null, true);
  private ApplicationRecord record =
      ApplicationRecord.NONE.in(ApplicationPhase.RUNNING).with(DEPLOYED, null);

  private static Deployment deployment() {
    return new DeploymentBuilder().withNewMetadata().endMetadata().build();
  }

  private static Pod jobManager() {
    return new PodBuilder()
        .withNewMetadata()
        .addToLabels("flink-deployment-type", "jobmanager")
        .endMetadata()
        .build();
  }

  private StoredApplication read() {
    FlinkApplication resource = new FlinkApplication();
    resource.setSpec(Applications.SPEC);
    resource.setStatus(
        ApplicationStatuses.with(FlinkApplicationStatus.EMPTY, record, Map.of(), clock.instant()));
    return new StoredApplication(Applications.RESOURCE, resource);
  }

  private ApplicationObservation patient(Duration patience) {
    ApplicationObservation.Kubernetes asked =
        new ApplicationObservation.Kubernetes() {
          @Override
          public VersionLook look(ApplicationRecord of, VersionRef version) {
            return kubernetes;
          }

          @Override
          public List<VersionRef> leftovers(Set<String> but) {
            return List.of();
          }

          @Override
          public @Nullable LyftLeft lyft(StoredApplication application) {
            return null;
          }

          @Override
          public WantedVersion newest(StoredApplication application) {
            return new WantedVersion(
                application, new ApplicationRules(valid -> List.of(), VersionLimits.DEFAULT));
          }
        };
    return new ApplicationObservation(
        clock.instant().plus(patience),
        this::read,
        asked,
        flink,
        new ClusterAccess(new FakeClusters(), new FakeView(), clock));
  }

  private static ApplicationSeen done(ProbeResult<ApplicationSeen> result) {
    assertThat(result).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<ApplicationSeen>) result).result();
  }

  /** It is collected after its Deployment, unless that was deleted alone. */
  @Test
  void aJobManagerThatHasLostItsDeploymentIsGivenTimeToGo() {
    kubernetes = new VersionLook(null, deployment(), List.of(jobManager()), null, true);
    ApplicationObservation observation = patient(Duration.ofSeconds(60));

    assertThat(observation.look()).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(11));
    ApplicationSeen stays = done(observation.look());

    assertThat(stays.deployed().cluster()).isEqualTo(Cluster.INCOMPLETE);
    assertThat(stays.deployed().job()).isInstanceOf(JobObservation.Alive.class);
  }

  @Test
  void oneThatGoesIsMissing() {
    kubernetes = new VersionLook(null, deployment(), List.of(jobManager()), null, true);
    ApplicationObservation observation = patient(Duration.ofSeconds(60));
    assertThat(observation.look()).isInstanceOf(ProbeResult.NotYet.class);

    kubernetes = new VersionLook(null, deployment(), List.of(), null, true);

    assertThat(done(observation.look()).deployed().cluster()).isEqualTo(Cluster.MISSING);
  }

  @Test
  void withoutPatienceItIsToldAtOnce() {
    kubernetes = new VersionLook(null, deployment(), List.of(jobManager()), null, true);

    assertThat(done(patient(Duration.ZERO).look()).deployed().cluster())
        .isEqualTo(Cluster.INCOMPLETE);
  }
}
