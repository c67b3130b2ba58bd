package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.bluegreen.BlueGreenOptions;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.bluegreen.SessionTemplate;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Gate;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SavepointRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Cut;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an exactly-once cut-over writes, and what it refuses to: never may both jobs run. */
class CutOverIT extends CutOverScenario {

  @Test
  void theNewChildIsASessionClusterWithoutAJob() {
    greenIsPrepared();

    assertThat(child(Color.GREEN).getSpec().isApplication()).isFalse();
    assertThat(child(Color.GREEN).getSpec().configuration().get(SessionTemplate.MIN_SLOTS))
        .contains("2");
    assertThat(jobOfGreen()).isNull();
    assertThat(activities.observe(ref).green().phase()).isEqualTo(new Phase.Prepared());
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.TRANSITIONING_TO_GREEN);
    fails(FailureType.OUTDATED, () -> activities.applyChild(child(Color.GREEN, uid(Color.GREEN))));
  }

  @Test
  void theLiveJobIsNotStoppedBeforeThereAreSlotsToGoOn() {
    activities.applyChild(child(Color.GREEN, null));

    fails(FailureType.OUTDATED, () -> activities.stopLive(savepoint(Color.BLUE)));
    ready(Color.GREEN);
    flink.taskManagers = 0;
    fails(FailureType.OUTDATED, () -> activities.stopLive(savepoint(Color.BLUE)));

    assertThat(standing().transition().cut()).isEqualTo(Cut.AHEAD);
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
  }

  @Test
  void thatTheLiveJobIsToldToStopIsWrittenFirstAndWhatItLeftBeforeItIsAnswered() {
    greenIsPrepared();
    SavepointRequest request = savepoint(Color.BLUE);
    before.once(
        "PATCH",
        "/orders-blue",
        () -> assertThat(standing().transition().stops()).as("is written first").isTrue());

    assertThat(stopped()).isEqualTo(new Taken.At(PATH));

    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isTrue();
    assertThat(child(Color.BLUE).getSpec().job().upgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
    assertThat(standing().transition().savepoint()).isEqualTo(PATH);
    assertThat(activities.stopLive(request)).as("asked again").isEqualTo(new Taken.At(PATH));

    // when the new job is started
    activities.applyChild(child(Color.GREEN, uid(Color.GREEN)));

    // then it starts from there, on the new cluster
    assertThat(jobOfGreen().getSpec().job().initialSavepointPath()).isEqualTo(PATH);
    assertThat(jobOfGreen().getSpec().deploymentName()).isEqualTo("orders-green");
    assertThat(activities.observe(ref).green().startsFrom()).isEqualTo(PATH);
    fails(FailureType.OUTDATED, () -> activities.resumeLive(child(Color.BLUE, uid(Color.BLUE))));
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isTrue();
  }

  @Test
  void aLiveJobThatStillRunsIsNotStoppedWithoutSlotsThoughItWasNotedBefore() {
    greenIsPrepared();
    before.once(
        "PATCH",
        "/orders-blue",
        () -> {
          throw new IllegalStateException("the worker is lost");
        });
    assertThatThrownBy(() -> activities.stopLive(savepoint(Color.BLUE)))
        .hasStackTraceContaining("the worker is lost");
    assertThat(standing().transition().stops()).isTrue();
    assertThat(standing().transition().wasSuspended()).isFalse();
    flink.taskManagers = 0;

    fails(FailureType.OUTDATED, () -> activities.stopLive(savepoint(Color.BLUE)));

    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
  }

  /** A stop of which nobody waits any more, as a run does not for one that it has aborted. */
  @Test
  void aStopThatIsWrittenAfterTheTransitionHasEndedIsRefused() {
    greenIsPrepared();
    SavepointRequest request = savepoint(Color.BLUE);
    before.once(
        "PATCH",
        "/orders-blue",
        () -> {
          List<?> unused = client.resource(child(Color.GREEN)).delete();
          byAnotherWorker.end(ends(false));
        });

    fails(FailureType.OUTDATED, () -> activities.stopLive(request));

    assertThat(standing().transition()).isNull();
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
  }

  @Test
  void aStopThatIsWrittenSinceTheLastLookIsTakenBackAtTheEnd() {
    greenIsPrepared();
    before.once(
        "PATCH",
        "/orders-blue",
        () -> {
          throw new IllegalStateException("the worker stands still");
        });
    assertThatThrownBy(() -> activities.stopLive(savepoint(Color.BLUE)))
        .hasStackTraceContaining("the worker stands still");
    List<?> unused = client.resource(child(Color.GREEN)).delete();
    before.once("PATCH", "/orders/status", () -> somebodyHasBlue(DesiredJobState.SUSPENDED));
    EndRequest request = ends(false);

    activities.end(request);

    assertThat(standing().transition()).isNull();
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();

    // when somebody wants it stopped after that
    somebodyHasBlue(DesiredJobState.SUSPENDED);
    activities.end(request);

    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).as("asked again").isTrue();
  }

  private void somebodyResumesBlue() {
    somebodyHasBlue(DesiredJobState.RUNNING);
  }

  private void somebodyHasBlue(DesiredJobState state) {
    client
        .resource(child(Color.BLUE))
        .edit(
            it -> {
              it.setSpec(it.getSpec().withJob(it.getSpec().job().withState(state)));
              return it;
            });
  }

  @Test
  void aJobThatSomebodyResumesBeforeItHasStoppedIsNotStoppedAgain() {
    greenIsPrepared();
    watcher.between(this::somebodyResumesBlue);

    assertThat(activities.stopLive(savepoint(Color.BLUE)))
        .isEqualTo(new Taken.Failed("its job was told to run again"));

    assertThat(standing().transition().wasSuspended()).isTrue();
    assertThat(activities.stopLive(savepoint(Color.BLUE)))
        .as("asked again")
        .isEqualTo(new Taken.Failed("its job was told to run again"));
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
  }

  @Test
  void noNewJobBecomesLiveBesideAnOldOneThatRunsAgain() {
    greenRuns();
    somebodyResumesBlue();

    fails(FailureType.OUTDATED, () -> switchTo(Color.GREEN));

    assertThat(standing().live()).isEqualTo(Color.BLUE);
  }

  @Test
  void aWaitForTheNewJobAnswersWhenTheOldOneRunsAgain() {
    greenRuns();
    apply(spec -> spec.withConfiguration(gated(spec)));
    flink.running().metrics(Map.of("lag", 9L));
    watcher.between(this::somebodyResumesBlue);

    assertThat(activities.awaitGates(await(Color.GREEN, uid(Color.GREEN))))
        .isEqualTo(new Gate(false, "the job of orders-blue may run beside it", false));

    // when the new job is not up
    says(Color.GREEN, "False", "JobNotRunning");
    assertThat(activities.awaitChild(await(Color.GREEN, uid(Color.GREEN))).child().phase())
        .isInstanceOf(Phase.Busy.class);
  }

  private static Map<String, String> gated(FlinkBlueGreenDeploymentSpec spec) {
    Map<String, String> all = new HashMap<>(spec.configuration());
    all.put(BlueGreenOptions.METRIC, "lag");
    all.put(BlueGreenOptions.METRIC_MAX, "5");
    return all;
  }

  /** What is refused is its FlinkSessionJob, and the API server says so. */
  @Test
  void aRefusalNamesNoOtherKind() {
    greenRuns();
    before.once(
        "DELETE",
        "/flinksessionjobs/orders-green",
        () -> {
          throw new KubernetesClientException("flinksessionjobs: forbidden", 403, null);
        });

    assertThatThrownBy(() -> activities.deleteChild(await(Color.GREEN, uid(Color.GREEN))))
        .hasStackTraceContaining(
            "cannot delete child %s/orders-green: flinksessionjobs: forbidden"
                .formatted(namespace));
  }

  @Test
  void aJobThatRunsAgainIsNotReplacedFromWhereItWasStopped() {
    greenIsPrepared();
    Taken unused = stopped();
    blueIsSuspended("s3://bucket/savepoint-newer");

    fails(FailureType.OUTDATED, () -> activities.applyChild(child(Color.GREEN, uid(Color.GREEN))));

    assertThat(jobOfGreen()).isNull();
  }

  @Test
  void aSavepointThatFailsIsAnAnswer() {
    greenIsPrepared();
    watcher.between(
        () ->
            childStatus(
                Color.BLUE,
                Map.of(
                    "observedGeneration",
                    child(Color.BLUE).getMetadata().getGeneration(),
                    "conditions",
                    List.of(
                        Map.of(
                            "type",
                            "Ready",
                            "status",
                            "False",
                            "reason",
                            "SavepointFailed",
                            "observedGeneration",
                            child(Color.BLUE).getMetadata().getGeneration())),
                    "operation",
                    Map.of("type", "Suspend", "state", "Parked", "message", "the disk is full"))));

    assertThat(activities.stopLive(savepoint(Color.BLUE)))
        .isInstanceOfSatisfying(
            Taken.Failed.class, it -> assertThat(it.why()).contains("the disk is full"));

    // then the live job goes on: nothing of the new one could have been started
    activities.resumeLive(child(Color.BLUE, uid(Color.BLUE)));
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
  }

  @Test
  void theLiveJobGoesOnOnceNothingOfTheNewOneIsLeft() {
    greenIsPrepared();
    Taken unused = stopped();
    activities.applyChild(child(Color.GREEN, uid(Color.GREEN)));

    // its job goes, then its cluster
    activities.deleteChild(await(Color.GREEN, uid(Color.GREEN)));

    assertThat(jobOfGreen()).isNull();
    assertThat(child(Color.GREEN)).isNull();
    clusters.pods.add(new Pod());
    fails(FailureType.OUTDATED, () -> activities.resumeLive(child(Color.BLUE, uid(Color.BLUE))));
    clusters.pods.clear();
    activities.resumeLive(child(Color.BLUE, uid(Color.BLUE)));
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
    assertThat(child(Color.BLUE).getSpec().job().upgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
  }

  /** The mode of the spec before would have it start without what it was stopped with. */
  @Test
  void aLiveJobWhoseSpecWasStatelessGoesOnFromWhereItWasStopped() {
    greenIsPrepared();
    client
        .resource(parent())
        .subresource("status")
        .edit(
            it -> {
              FlinkBlueGreenDeploymentSpec reached = it.getStatus().lastReconciled().spec();
              JobSpec job = reached.template().spec().job();
              it.setStatus(
                  it.getStatus()
                      .withLastReconciledSpec(
                          new FrozenBlueGreen(
                                  reached.withTemplate(
                                      reached
                                          .template()
                                          .withSpec(
                                              reached
                                                  .template()
                                                  .spec()
                                                  .withJob(
                                                      job.withUpgradeMode(UpgradeMode.STATELESS)))),
                                  1)
                              .toJson()));
              return it;
            });
    Taken unused = stopped();
    activities.deleteChild(await(Color.GREEN, uid(Color.GREEN)));
    clusters.pods.clear();

    activities.resumeLive(child(Color.BLUE, uid(Color.BLUE)));

    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
    assertThat(child(Color.BLUE).getSpec().job().upgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
  }
}
