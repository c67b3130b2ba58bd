package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.activities.manifest.application.VersionManifests;
import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.workflows.application.VersionReady;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VersionWaitTest {

  private final TestClock clock = new TestClock();
  private final FakeClusters clusters = new FakeClusters();
  private final FakeFlink flink = new FakeFlink();
  private final VersionTarget target = target();
  private final VersionManifests manifests =
      new VersionRenderer(ApplicationOptions.NONE).render(target);
  private final VersionWait wait =
      new VersionWait(target, clusters.access(clock), flink, clock.in(Duration.ofMinutes(15)));

  @Test
  void aClusterWithAllItsSlotsIsReady() {
    up();
    flink.taskManagers = 2;

    assertThat(wait.look())
        .isEqualTo(ProbeResult.done(new VersionReady.Ready("2 TaskManagers, 4 slots, in 0 s")));
  }

  @Test
  void theSlotsThatTheJobNeedsAreWaitedFor() {
    up();
    flink.taskManagers = 1;

    assertThat(wait.look())
        .isEqualTo(ProbeResult.notYet("2 of 3 slots are there, of 1 TaskManagers"));
  }

  @Test
  void theJobManagerIsWaitedFor() {
    have(available(manifests.jobManager(), 0), available(manifests.taskManagers(), 2));

    assertThat(wait.look()).isEqualTo(ProbeResult.notYet("JobManager pods: none"));
  }

  @Test
  void theTaskManagersAreWaitedFor() {
    have(available(manifests.jobManager(), 1), available(manifests.taskManagers(), 1));

    assertThat(wait.look()).isEqualTo(ProbeResult.notYet("TaskManager pods: none"));
  }

  /** Only a question to the API server tells that it is gone. */
  @Test
  void aClusterWithoutTaskManagersIsMissing() {
    have(available(manifests.jobManager(), 1), null);

    assertThat(wait.look())
        .isEqualTo(
            ProbeResult.done(
                new VersionReady.Missing(
                    "the TaskManager Deployment of %s is missing"
                        .formatted(target.cluster().display()))));
    assertThat(clusters.asked).isPositive();
  }

  @Test
  void whatTheCacheDoesNotKnowYetIsNotMissing() {
    up();
    clusters.cache.deployment = null;

    assertThat(wait.look()).isEqualTo(ProbeResult.notYet("JobManager pods: none"));
  }

  @Test
  void aClusterOfAnotherVersionIsMissing() {
    Deployment other = available(manifests.jobManager(), 1);
    other.getMetadata().getAnnotations().put("sluice.dev/full-hash", "another");
    have(other, available(manifests.taskManagers(), 2));

    assertThat(wait.look())
        .isInstanceOfSatisfying(
            ProbeResult.Done.class,
            done -> assertThat(done.result()).isInstanceOf(VersionReady.Missing.class));
  }

  /** In the words that a FlinkDeployment has for it. */
  @Test
  void anImageThatCannotBePulledIsToldAfterTenSeconds() {
    have(available(manifests.jobManager(), 0), available(manifests.taskManagers(), 0));
    clusters.both(Pods.waiting(Pods.jobManager(), "ErrImagePull", "no such image", 0));

    assertThat(wait.look())
        .isInstanceOf(ProbeResult.NotYet.class)
        .asString()
        .contains("cannot get image flink:nope: ErrImagePull: no such image");
    clock.advance(Duration.ofSeconds(10));

    assertThat(wait.look())
        .isInstanceOfSatisfying(
            ProbeResult.Done.class,
            done ->
                assertThat(done.result())
                    .isInstanceOfSatisfying(
                        VersionReady.NotReady.class,
                        it -> assertThat(it.reason()).isEqualTo("ImagePullFailed")));
  }

  /** W1: also a first deployment ends. */
  @Test
  void aClusterThatIsNotReadyInTimeIsToldWithTheReason() {
    up();
    flink.taskManagers = 1;
    clock.advance(Duration.ofMinutes(15));

    assertThat(wait.look())
        .isEqualTo(
            ProbeResult.done(
                new VersionReady.NotReady(
                    "ClusterNotReady",
                    "cluster %s was not ready in time: 2 of 3 slots are there, of 1 TaskManagers"
                        .formatted(target.cluster().display()))));
  }

  @Test
  void aClusterThatIsReadyAtTheLastMomentIsReady() {
    up();
    flink.taskManagers = 2;
    clock.advance(Duration.ofMinutes(15));

    assertThat(wait.look())
        .isInstanceOfSatisfying(
            ProbeResult.Done.class,
            done -> assertThat(done.result()).isInstanceOf(VersionReady.Ready.class));
  }

  private void up() {
    have(available(manifests.jobManager(), 1), available(manifests.taskManagers(), 2));
  }

  private void have(Deployment jobManager, Deployment taskManagers) {
    clusters.both(jobManager);
    clusters.taskManagers = taskManagers;
    clusters.cache.taskManagers = taskManagers;
  }

  private static Deployment available(Deployment rendered, int replicas) {
    return rendered.edit().withNewStatus().withAvailableReplicas(replicas).endStatus().build();
  }

  private static VersionTarget target() {
    ApplicationHash hash = ApplicationHash.of(VersionRig.SPEC);
    FlinkApplication resource = VersionRig.application("default");
    return VersionTarget.of(
        new ResourceRef("kubernetes", FlinkApplication.KIND, "default", "wordcount", "uid-1"),
        resource,
        new VersionRef(
            hash.inNames(0),
            hash.full(),
            VersionNames.cluster("wordcount", hash.inNames(0)),
            null,
            1,
            null,
            false),
        resource.getSpec());
  }
}
