package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class JobManagerStopIT {

  private static final Standing UNTOUCHED = new Standing(Phase.IDLE, null, null);

  private final TestClock clock = new TestClock();
  private final FakeView cache = new FakeView();
  private final FakeFlink flink = new FakeFlink();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    ref = Deployed.ref(client.resource(Deployed.orders(namespace)).create());
  }

  @Test
  void theDeploymentIsScaledToNothingAndKept() {
    Deployment deployment = deployed(Refs.JOB_ID);

    JobManagerStop stop = begun();

    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isZero();
    assertThat(stop.look()).isEqualTo(ProbeResult.done(null));
  }

  /** From then on nobody can ask Flink any more. */
  @Test
  void theJobAndWhatItLeftAreNotedInTheSameWrite() {
    Deployment deployment = deployed(Refs.JOB_ID);

    begun();

    assertThat(client.resource(deployment).get().getMetadata())
        .satisfies(
            metadata -> {
              assertThat(metadata.getAnnotations())
                  .containsEntry(Annotations.FINISHED_JOB, Refs.JOB_ID)
                  .containsEntry(Annotations.FINISHED_STATE, "file:/s");
              assertThat(metadata.getGeneration())
                  .isEqualTo(deployment.getMetadata().getGeneration() + 1);
            });
  }

  @Test
  void ofAFailedJobThatIsNotedToo() {
    Deployment deployment = deployed(Refs.JOB_ID);

    begun(FlinkJobState.FAILED, new StateRef.Checkpoint("file:/c/chk-9"));

    assertThat(client.resource(deployment).get().getMetadata().getAnnotations())
        .containsEntry(Annotations.FINISHED_AS, "FAILED")
        .containsEntry(Annotations.FINISHED_STATE, "file:/c/chk-9");
  }

  /** Its JobManager stays for a while, and may forget the job meanwhile. */
  @Test
  void theEndOfAJobIsNotedOnceAndItsJobManagerRunsOn() {
    Deployment deployment = deployed(Refs.JOB_ID);

    noted(new StateRef.Checkpoint("file:/c/chk-9"));
    clock.advance(Duration.ofHours(1));
    noted(new StateRef.Checkpoint("file:/c/chk-9"));

    Deployment now = client.resource(deployment).get();
    assertThat(now.getSpec().getReplicas()).isEqualTo(1);
    assertThat(now.getMetadata().getAnnotations())
        .containsEntry(Annotations.FINISHED_JOB, Refs.JOB_ID)
        .containsEntry(Annotations.FINISHED_AS, "FAILED")
        .containsEntry(Annotations.FINISHED_STATE, "file:/c/chk-9")
        .containsEntry(
            Annotations.FINISHED_AT, clock.instant().minus(Duration.ofHours(1)).toString());

    // and when
    begun(FlinkJobState.FAILED, new StateRef.Checkpoint("file:/c/chk-9"));

    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isZero();
  }

  @Test
  void withinAnOperationItIsNotedWhileTheStatusStandsAsItWasPlannedFor() {
    Deployment deployment = deployed(Refs.JOB_ID);
    StateRef left = new StateRef.Checkpoint("file:/c/chk-9");

    assertThatThrownBy(() -> noted(left, new Standing(Phase.UPGRADING, 2L, Refs.JOB_ID)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(client.resource(deployment).get().getMetadata().getAnnotations())
        .doesNotContainKey(Annotations.FINISHED_JOB);

    // and when
    noted(left, UNTOUCHED);

    assertThat(client.resource(deployment).get().getMetadata().getAnnotations())
        .containsEntry(Annotations.FINISHED_STATE, "file:/c/chk-9");
  }

  @Test
  void anEndIsNotNotedOnADeploymentOfAnotherJob() {
    Deployment deployment = deployed(Refs.OTHER_JOB_ID);

    assertThatThrownBy(() -> noted(new StateRef.Checkpoint("file:/c/chk-9")))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(client.resource(deployment).get().getMetadata().getAnnotations())
        .doesNotContainKey(Annotations.FINISHED_JOB);
  }

  @Test
  void whatIsNotKnownIsNotTakenForNone() {
    Deployment deployment = deployed(Refs.JOB_ID);

    assertThatThrownBy(
            () -> begun(FlinkJobState.CANCELED, new StateRef.Unknown("Flink does not tell")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isEqualTo(1);
  }

  @Test
  void aDeploymentOfApachesOperatorDoesNotSayItsJobAndIsScaledToo() {
    Deployment deployment = deployed(null);

    begun();

    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isZero();
  }

  @Test
  void doingItAgainWritesNothing() {
    Deployment deployment = deployed(Refs.JOB_ID);
    begun();
    String version = client.resource(deployment).get().getMetadata().getResourceVersion();

    begun();

    assertThat(client.resource(deployment).get().getMetadata().getResourceVersion())
        .isEqualTo(version);
  }

  @Test
  void aDeploymentOfAnotherJobIsLeftAlone() {
    Deployment deployment = deployed(Refs.OTHER_JOB_ID);

    assertThatThrownBy(this::begun)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isEqualTo(1);
  }

  @Test
  void withoutADeploymentThereIsNothingToStop() {
    assertThat(begun().look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void taskManagersWithoutAJobManagerAreRemoved() {
    Deployment deployment = deployed(Refs.JOB_ID);
    Pod left = taskManager(deployment);
    cache.pods.add(left);
    JobManagerStop stop = begun();

    assertThat(stop.look()).isEqualTo(ProbeResult.notYet("the TaskManagers are being removed"));
    assertThat(client.resource(left).get()).isNull();
    cache.pods.clear();
    assertThat(stop.look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void withinAnOperationItIsStoppedOnceFlinkSaysAgainThatItsJobHasEnded() {
    Deployment deployment = deployed(Refs.JOB_ID);
    flink.job(Refs.JOB_ID, FlinkJobState.FAILED, FakeFlink.tasks(0, 0, 2));

    JobManagerStop stop = begunWithin(UNTOUCHED);

    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isEqualTo(1);
    assertThat(stop.look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isZero();
    assertThat(stop.look()).isEqualTo(ProbeResult.done(null));
    assertThat(begunWithin(UNTOUCHED).look()).isEqualTo(ProbeResult.done(null));
  }

  /** Kubernetes has begun it again in between. */
  @Test
  void withinAnOperationAJobThatRunsAgainIsNotStopped() {
    Deployment deployment = deployed(Refs.JOB_ID);
    flink.job(Refs.JOB_ID, FlinkJobState.RUNNING, FakeFlink.tasks(2, 0, 0));

    ProbeResult<Void> told = begunWithin(UNTOUCHED).look();

    assertThat(told)
        .isEqualTo(
            ProbeResult.failed(
                FailureType.OUTDATED,
                "Flink does not say that job %s is FAILED".formatted(Refs.JOB_ID)));
    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isEqualTo(1);
  }

  @Test
  void withinAnOperationSilenceIsNoProof() {
    Deployment deployment = deployed(Refs.JOB_ID);
    flink.up(false);

    assertThat(begunWithin(UNTOUCHED).look()).isInstanceOf(ProbeResult.Failed.class);
    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isEqualTo(1);
  }

  /** A run that was reset remembers a status that was written since. */
  @Test
  void whatWasPlannedForAnEarlierStatusIsNotDone() {
    Deployment deployment = deployed(Refs.JOB_ID);
    flink.job(Refs.JOB_ID, FlinkJobState.FAILED, FakeFlink.tasks(0, 0, 2));

    assertThatThrownBy(() -> begunWithin(new Standing(Phase.UPGRADING, 2L, Refs.JOB_ID)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isEqualTo(1);
  }

  /** It would ask for another one. */
  @Test
  void taskManagersStayWhileTheirJobManagerDoes() {
    Deployment deployment = deployed(Refs.JOB_ID);
    Pod taskManager = taskManager(deployment);
    cache.pods.add(taskManager);
    cache.pods.add(
        new PodBuilder(taskManager)
            .editMetadata()
            .withName("orders-0")
            .addToLabels("component", "jobmanager")
            .endMetadata()
            .build());

    assertThat(begun().look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(client.resource(taskManager).get()).isNotNull();
  }

  @Test
  void nothingIsStoppedForAResourceThatIsGone() {
    Deployment deployment = deployed(Refs.JOB_ID);
    client.resource(Deployed.orders(namespace)).delete();

    assertThatThrownBy(this::begun)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.RESOURCE_GONE));
    assertThat(client.resource(deployment).get().getSpec().getReplicas()).isEqualTo(1);
  }

  private Deployment deployed(String jobId) {
    Deployment deployment = Clusters.deployment(namespace, ref.uid());
    return client
        .resource(
            jobId == null
                ? deployment
                : new DeploymentBuilder(deployment)
                    .editMetadata()
                    .addToAnnotations(Annotations.JOB_ID, jobId)
                    .endMetadata()
                    .build())
        .create();
  }

  private Pod taskManager(Deployment of) {
    return client.resource(Clusters.taskManager(namespace, of.getMetadata().getUid())).create();
  }

  private void noted(StateRef left) {
    noted(left, null);
  }

  private void noted(StateRef left, Standing plannedFor) {
    new EndNote(
            new NoteEndRequest(
                ref, Refs.job(ref, Refs.JOB_ID), FlinkJobState.FAILED, left, plannedFor),
            new FlinkDeploymentStore(client),
            client,
            new ClusterAccess(new ClusterReader(client), cache, clock))
        .write();
  }

  private JobManagerStop begun() {
    return begun(FlinkJobState.FINISHED, new StateRef.Savepoint("file:/s"));
  }

  private JobManagerStop begun(FlinkJobState state, StateRef left) {
    return begun(state, left, null);
  }

  private JobManagerStop begunWithin(Standing plannedFor) {
    return begun(FlinkJobState.FAILED, new StateRef.Checkpoint("file:/c/chk-9"), plannedFor);
  }

  private JobManagerStop begun(FlinkJobState state, StateRef left, Standing plannedFor) {
    JobManagerStop stop =
        new JobManagerStop(
            new StopJobManagerRequest(
                ref,
                Refs.job(ref, Refs.JOB_ID),
                state,
                left,
                clock.in(Duration.ofMinutes(2)),
                plannedFor),
            new FlinkDeploymentStore(client),
            client,
            new ClusterAccess(new ClusterReader(client), cache, clock),
            flink);
    stop.begin();
    return stop;
  }
}
