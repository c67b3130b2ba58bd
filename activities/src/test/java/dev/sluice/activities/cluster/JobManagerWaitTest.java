package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.ClusterActivities.AwaitJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobManagerWaitTest {

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeView view = new FakeView();
  private final FakeClusters api = new FakeClusters();
  private JobManagerWait wait;

  @BeforeEach
  void begin() {
    view.deployment = deployment(Refs.JOB_ID);
    api.deployment = view.deployment;
    wait = waiting(false);
  }

  private JobManagerWait waiting(boolean session) {
    return new JobManagerWait(
        new AwaitJobManagerRequest(Refs.RESOURCE, Refs.JOB, clock.in(Duration.ofMinutes(5))),
        new RunningCluster(
            Refs.CLUSTER,
            Endpoint.of(Refs.CLUSTER),
            FlinkConfiguration.empty(),
            Refs.JOB_ID,
            1L,
            session),
        new ClusterAccess(api, view, clock),
        flink);
  }

  @Test
  void doneOnceItAnswers() {
    view.pods.add(Pods.ready(Pods.jobManager()));
    flink.up(false);

    assertThat(look()).isEqualTo(ProbeResult.notYet("JobManager pods: 1 Running"));
    flink.up(true);

    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void notAskedBeforeItsPodRuns() {
    view.pods.add(Pods.jobManager());

    assertThat(look()).isEqualTo(ProbeResult.notYet("JobManager pods: 1 Pending"));
    assertThat(flink.requests).isZero();
  }

  @Test
  void aPodWhoseProbeNeverPassesIsNoHindrance() {
    view.pods.add(Pods.running(Pods.jobManager()));
    flink.up(false);
    look();

    flink.up(true);
    clock.advance(Duration.ofSeconds(2));

    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void aDeploymentThatMemoryDoesNotHaveYetIsWaitedFor() {
    view.deployment = null;

    assertThat(look()).isEqualTo(ProbeResult.notYet("JobManager pods: none"));
  }

  @Test
  void aDeploymentThatWentAwayEndsIt() {
    view.deployment = null;
    api.deployment = null;

    assertThat(look())
        .isEqualTo(
            ProbeResult.failed(
                FailureType.OUTDATED, "the JobManager Deployment default/orders is missing"));
  }

  @Test
  void aDeploymentOfAnotherJobEndsItOnceTheApiServerSaysSo() {
    view.deployment = deployment(Refs.OTHER_JOB_ID);

    assertThat(look()).isEqualTo(ProbeResult.notYet("JobManager pods: none"));
    api.deployment = view.deployment;

    assertThat(look())
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.OUTDATED));
  }

  @Test
  void theApiServerIsAskedWhileMemoryIsIncomplete() {
    view.synced = false;
    view.deployment = null;

    assertThat(look()).isEqualTo(ProbeResult.notYet("JobManager pods: none"));
    api.deployment = null;
    assertThat(look()).isInstanceOf(ProbeResult.Failed.class);
  }

  @ParameterizedTest
  @CsvSource({
    "CrashLoopBackOff, PodFailed",
    "CreateContainerConfigError, PodFailed",
    "ImagePullBackOff, ImagePullFailed"
  })
  void aProblemThatLastsEndsItBeforeTheDeadline(String reason, String type) {
    view.pods.add(Pods.waiting(Pods.jobManager(), reason, "", 3));
    api.pods.addAll(view.pods);
    look();
    clock.advance(Duration.ofSeconds(10));

    assertThat(look())
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class, failed -> assertThat(failed.type()).isEqualTo(type));
  }

  /** Ready means that jobs can run there; the other TaskManagers may never find a node. */
  @Test
  void aStandaloneSessionClusterIsReadyOnceATaskManagerIsRegistered() {
    standalone();
    wait = waiting(true);

    flink.taskManagers = 0;
    assertThat(look()).isEqualTo(ProbeResult.notYet("no TaskManager is registered"));
    flink.taskManagers = 1;

    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void theTaskManagersOfAJobAreNotWaitedForHere() {
    standalone();
    flink.taskManagers = 0;

    assertThat(look()).isEqualTo(ProbeResult.done(null));
  }

  private void standalone() {
    view.pods.add(Pods.ready(Pods.jobManager()));
    view.deployment =
        deployment(Refs.JOB_ID)
            .edit()
            .editMetadata()
            .addToLabels(Labels.TYPE, Labels.TYPE_STANDALONE)
            .endMetadata()
            .build();
    api.deployment = view.deployment;
    flink.up(true);
  }

  private ProbeResult<Void> look() {
    return Looks.at(wait::look);
  }

  private static Deployment deployment(String jobId) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders")
        .addToAnnotations(Annotations.JOB_ID, jobId)
        .endMetadata()
        .build();
  }
}
