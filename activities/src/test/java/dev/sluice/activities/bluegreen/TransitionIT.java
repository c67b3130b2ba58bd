package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.FakeFlink;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.BeginRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SwitchRequest;
import dev.sluice.workflows.bluegreen.BlueGreenSeen;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From one spec to the next: what is written, and what is refused. */
class TransitionIT extends BlueGreenScenario {

  @Test
  void aFirstDeploymentEndsWithBlueLive() {
    blueIsLive();

    FlinkBlueGreenDeploymentStatus status = status();
    assertThat(status.blueGreenState()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
    assertThat(status.lastReconciled().spec()).isEqualTo(SPEC);
    assertThat(status.lastReconciledTimestamp()).startsWith("2026-11-21T08:");
    assertThat(status.transition()).isNull();
    assertThat(status.abortTimestamp()).isNull();
    assertThat(standing()).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 0));
    assertThat(activities.observe(ref))
        .satisfies(
            seen -> {
              assertThat(seen.change()).isEqualTo(Change.NONE);
              assertThat(seen.problem()).isNull();
              assertThat(seen.blue().phase()).isInstanceOf(Phase.Ready.class);
              assertThat(seen.green()).isNull();
            });
  }

  @Test
  void theNewChildIsLiveOnceItWasSwitchedAndTheStateIsApaches() {
    blueIsLive();
    apply(image("flink:2.3"));
    assertThat(activities.observe(ref).change()).isEqualTo(Change.TRANSITION);

    Begin begun = begun(Color.GREEN, Source.SAVEPOINT);
    assertThat(begun).isEqualTo(new Begin.Begun(standing()));
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.SAVEPOINTING_BLUE);
    assertThat(status().abortTimestamp()).isEqualTo("2026-11-21T08:10:00Z");

    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/known"));
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.TRANSITIONING_TO_GREEN);
    activities.applyChild(child(Color.GREEN, null));
    assertThat(child(Color.GREEN).getSpec().job().initialSavepointPath())
        .isEqualTo("s3://bucket/known");
    ready(Color.GREEN);
    switchTo(Color.GREEN);
    assertThat(standing().live()).isEqualTo(Color.GREEN);
    assertThat(standing().reached()).isEqualTo(1);
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.TRANSITIONING_TO_GREEN);
    end(true);
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.ACTIVE_GREEN);
    assertThat(standing()).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
  }

  @Test
  void anAnswerThatWasLostIsGivenAgain() {
    blueIsLive();
    apply(image("flink:2.3"));
    BeginRequest begin = begin(Color.GREEN, Source.KNOWN, "s3://bucket/known");
    Begin first = activities.begin(begin);
    assertThat(activities.begin(begin)).isEqualTo(first);

    ChildRequest apply = child(Color.GREEN, null);
    activities.applyChild(apply);
    String uid = uid(Color.GREEN);
    activities.applyChild(apply);
    assertThat(uid(Color.GREEN)).isEqualTo(uid);

    ready(Color.GREEN);
    SwitchRequest toGreen =
        new SwitchRequest(report("SwitchLive"), standing(), Color.GREEN, clock.millis());
    activities.switchLive(toGreen);
    activities.switchLive(toGreen);

    EndRequest end = new EndRequest(report("EndTransition"), standing(), true);
    activities.end(end);
    activities.end(end);
    assertThat(standing()).isEqualTo(new BlueGreenStanding(Color.GREEN, null, 2, 0));
  }

  /** A run that was reset does all of it again. */
  @Test
  void whatWasPlannedForAnotherStandingChangesNothing() {
    blueIsLive();
    apply(image("flink:2.3"));
    BlueGreenStanding before = standing();
    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/known"));
    BlueGreenStanding begun = standing();
    activities.applyChild(child(Color.GREEN, null));
    ready(Color.GREEN);
    switchTo(Color.GREEN);
    end(true);
    FlinkBlueGreenDeploymentStatus ended = status();

    fails(
        FailureType.OUTDATED,
        () ->
            activities.begin(
                new BeginRequest(
                    report("BeginTransition"),
                    before,
                    Color.GREEN,
                    Source.SPEC,
                    null,
                    clock.millis())));
    fails(
        FailureType.OUTDATED,
        () ->
            activities.applyChild(
                new ChildRequest(ref, begun, generation(), Color.GREEN, uid(Color.GREEN))));
    fails(
        FailureType.OUTDATED,
        () ->
            activities.switchLive(
                new SwitchRequest(report("SwitchLive"), begun, Color.BLUE, clock.millis())));
    fails(
        FailureType.OUTDATED,
        () -> activities.end(new EndRequest(report("EndTransition"), begun, false)));
    assertThat(status()).isEqualTo(ended);
  }

  @Test
  void aSpecThatCannotBeDeployedIsToldWithItsPathAndBeginsNothing() {
    apply(
        spec ->
            spec.withTemplate(
                spec.template().withSpec(spec.template().spec().withServiceAccount("flink"))));
    apply(
        spec ->
            spec.withTemplate(
                    spec.template()
                        .withSpec(
                            spec.template()
                                .spec()
                                .withConfiguration(
                                    spec.template()
                                        .spec()
                                        .configuration()
                                        .with("taskmanager.numberOfTaskSlots", "many"))))
                .withConfiguration(Map.of("sluice.bluegreen.gate.checkpoints", "many")));

    Begin begin = begun(Color.BLUE, Source.SPEC);

    assertThat(begin)
        .isInstanceOfSatisfying(
            Begin.Invalid.class,
            it ->
                assertThat(it.problem())
                    .contains("spec.configuration.sluice.bluegreen.gate.checkpoints: must be")
                    .contains(
                        "spec.template.spec.flinkConfiguration.taskmanager.numberOfTaskSlots: must be"));
    assertThat(standing()).isEqualTo(BlueGreenStanding.EMPTY);
    assertThat(activities.observe(ref).problem()).isEqualTo(((Begin.Invalid) begin).problem());
  }

  @Test
  void aNewerSpecThanPlannedForIsTold() {
    BeginRequest request = begin(Color.BLUE, Source.SPEC, null);
    apply(image("flink:2.3"));

    assertThat(activities.begin(request)).isEqualTo(new Begin.Changed(2));
  }

  /** Apache's PR #1072. */
  @Test
  void aSpecThatWasGivenUpIsNotWrittenAsReached() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");

    end(false);

    assertThat(status().lastReconciled().generation()).isEqualTo(1);
    assertThat(standing()).isEqualTo(new BlueGreenStanding(Color.BLUE, null, 1, 2));
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
    assertThat(activities.observe(ref).change()).isEqualTo(Change.TRANSITION);
  }

  @Test
  void whatTheLiveChildWasNotMadeForIsNotReached() {
    blueIsLive();
    apply(image("flink:2.3"));

    fails(FailureType.OUTDATED, () -> end(true));
    assertThat(standing().reached()).isEqualTo(1);
  }

  /** The next transition begins from there. */
  @Test
  void aSpecThatIsReachedWhileANewerOneIsThereIsThatOfTheChild() {
    switchedToGreen();
    EndRequest end = new EndRequest(report("EndTransition"), standing(), true);
    apply(image("flink:2.4"));

    activities.end(end);

    assertThat(status().lastReconciled().generation()).isEqualTo(2);
    assertThat(status().lastReconciled().spec().template().spec().image()).isEqualTo("flink:2.3");
    BlueGreenSeen seen = activities.observe(ref);
    assertThat(seen.change()).isEqualTo(Change.TRANSITION);
  }

  @Test
  void aChildThatIsNotUpAtThatMomentDoesNotBecomeLive() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");

    fails(FailureType.OUTDATED, () -> switchTo(Color.GREEN));
    assertThat(standing().live()).isEqualTo(Color.BLUE);
  }

  @Test
  void aChildWhoseJobManagerSaysThatItsJobIsNotUpDoesNotBecomeLive() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");
    ready(Color.GREEN);
    flink.job(FlinkJobState.RESTARTING, 0);

    fails(FailureType.OUTDATED, () -> switchTo(Color.GREEN));
    assertThat(standing().live()).isEqualTo(Color.BLUE);
  }

  /** Ready is told before the savepoint is that its job was stopped with. */
  @Test
  void aLiveChildThatHasFinishedIsWaitedForUntilItsEndIsRecorded() {
    blueIsLive();
    says(Color.BLUE, "True", "JobFinished");
    assertThat(activities.observe(ref).blue().phase()).isInstanceOf(Phase.Busy.class);

    childStatus(
        Color.BLUE,
        Map.of(
            "endedJob",
            Map.of(
                "jobId",
                FakeFlink.JOB,
                "state",
                "FINISHED",
                "left",
                Map.of("type", "Savepoint", "path", "s3://bucket/left"))));
    assertThat(activities.observe(ref).blue().phase())
        .isEqualTo(new Phase.Finished("s3://bucket/left"));
  }

  /** A suspended job of a spec with another nonce starts from what that names, once it runs. */
  @Test
  void aRedeployThatIsAskedForInPlaceReachesTheLiveChild() {
    blueIsLive();
    apply(startingFrom("s3://bucket/redeploy"));
    apply(job(job -> job.withState(DesiredJobState.SUSPENDED).withSavepointRedeployNonce(7L)));
    assertThat(activities.observe(ref).change()).isEqualTo(Change.SAVEPOINT_REDEPLOY);

    activities.applyChild(child(Color.BLUE, uid(Color.BLUE)));

    assertThat(child(Color.BLUE).getSpec().job().savepointRedeployNonce()).isEqualTo(7);
    assertThat(child(Color.BLUE).getSpec().job().initialSavepointPath())
        .isEqualTo("s3://bucket/redeploy");
  }

  @Test
  void aSwitchCanBeTakenBackWhileTheOldChildIsThere() {
    switchedToGreen();

    switchTo(Color.BLUE);

    assertThat(standing().live()).isEqualTo(Color.BLUE);
    assertThat(standing().transition().switchedMs()).isNotNull();
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.TRANSITIONING_TO_BLUE);
  }

  @Test
  void aChildThatIsGivenUpIsSuspendedAndTheLiveOneIsNot() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");

    activities.suspendChild(child(Color.GREEN, uid(Color.GREEN)));
    activities.suspendChild(child(Color.GREEN, uid(Color.GREEN)));

    assertThat(child(Color.GREEN).getSpec().job().isSuspended()).isTrue();
    fails(FailureType.OUTDATED, () -> activities.suspendChild(child(Color.BLUE, uid(Color.BLUE))));
    assertThat(child(Color.BLUE).getSpec().job().isSuspended()).isFalse();
  }

  /** The clock of the worker may differ, and that of the next worker again. */
  @Test
  void whenATransitionBeginsAndSwitchesTemporalSays() {
    blueIsLive();
    apply(image("flink:2.3"));
    BeginRequest begin = begin(Color.GREEN, Source.KNOWN, "s3://bucket/known");
    clock.advance(Duration.ofHours(1));

    activities.begin(begin);

    assertThat(standing().transition().sinceMs()).isEqualTo(begin.atMs());
    assertThat(status().abortTimestamp()).isEqualTo("2026-11-21T08:10:00Z");
    activities.applyChild(child(Color.GREEN, null));
    ready(Color.GREEN);
    activities.switchLive(
        new SwitchRequest(report("SwitchLive"), standing(), Color.GREEN, begin.atMs() + 1));
    assertThat(standing().transition().switchedMs()).isEqualTo(begin.atMs() + 1);
    assertThat(status().deploymentReadyTimestamp()).startsWith("2026-11-21T08:00:00");
  }

  @Test
  void theFieldsOfTheStatusHaveOneManager() {
    switchedToGreen();
    end(true);

    List<ManagedFieldsEntry> status =
        parent().getMetadata().getManagedFields().stream()
            .filter(it -> "status".equals(it.getSubresource()))
            .toList();
    assertThat(status).hasSize(1);
    assertThat(status.get(0).getManager()).isEqualTo("sluice-workflow");
    assertThat(child(Color.GREEN).getMetadata().getManagedFields())
        .anySatisfy(it -> assertThat(it.getManager()).isEqualTo(ChildWrites.FIELD_MANAGER));
  }
}
