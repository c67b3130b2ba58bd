package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which child may be deleted, and when. */
class ChildDeletionIT extends BlueGreenScenario {

  /** FLINK-40119: blue was deleted at once. */
  @Test
  void theOldChildIsDeletedOnceTheNewOneIsLiveAndReady() {
    switchedToGreen();

    activities.deleteChild(await(Color.BLUE, uid(Color.BLUE)));

    assertThat(child(Color.BLUE)).isNull();
    assertThat(child(Color.GREEN)).isNotNull();
  }

  /** FLINK-40092: the deployment to go back to was deleted. */
  @Test
  void theOldChildStaysWhileTheNewOneIsNotReadyAtThatVeryMoment() {
    switchedToGreen();
    says(Color.GREEN, "False", "JobNotRunning");

    fails(FailureType.OUTDATED, () -> activities.deleteChild(await(Color.BLUE, uid(Color.BLUE))));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  @Test
  void theOldChildStaysWhenItHasChangedSinceItWasLookedAtAndTheNewOneIsReadyNoMore() {
    switchedToGreen();
    before.once(
        "DELETE",
        "/orders-blue",
        () -> {
          says(Color.GREEN, "False", "JobNotRunning");
          says(Color.BLUE, "True", "Suspended");
        });

    fails(FailureType.OUTDATED, () -> activities.deleteChild(await(Color.BLUE, uid(Color.BLUE))));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  /** The status of the new child is as old as its controller last wrote it. */
  @Test
  void theOldChildStaysWhenTheJobManagerOfTheNewOneSaysThatItsJobIsNotUp() {
    switchedToGreen();
    flink.job(FlinkJobState.RESTARTING, 0);

    fails(FailureType.OUTDATED, () -> activities.deleteChild(await(Color.BLUE, uid(Color.BLUE))));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  /** Temporal has begun another attempt by then, and the other child may be live again. */
  @Test
  void anAttemptThatIsTooSlowDeletesNothing() {
    switchedToGreen();
    before.once("GET", "/orders-green", () -> clock.advance(Duration.ofSeconds(10)));

    fails(
        KubernetesFailure.UNAVAILABLE,
        () -> activities.deleteChild(await(Color.BLUE, uid(Color.BLUE))));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  @Test
  void theOldChildStaysWhenTheNewOneIsGone() {
    switchedToGreen();
    AwaitChildRequest delete = await(Color.BLUE, uid(Color.BLUE));
    client.resource(child(Color.GREEN)).delete();

    fails(FailureType.OUTDATED, () -> activities.deleteChild(delete));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  @Test
  void theLiveChildIsNotDeleted() {
    blueIsLive();

    fails(FailureType.OUTDATED, () -> activities.deleteChild(await(Color.BLUE, uid(Color.BLUE))));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  /** It was planned before the switch was taken back. */
  @Test
  void aLateDeletionOfWhatIsLiveAgainIsOutdated() {
    switchedToGreen();
    AwaitChildRequest delete = await(Color.BLUE, uid(Color.BLUE));
    switchTo(Color.BLUE);

    fails(FailureType.OUTDATED, () -> activities.deleteChild(delete));
    assertThat(child(Color.BLUE)).isNotNull();
  }

  @Test
  void theChildThatCameIsDeletedWhenItIsGivenUp() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");

    activities.deleteChild(await(Color.GREEN, uid(Color.GREEN)));

    assertThat(child(Color.GREEN)).isNull();
    assertThat(child(Color.BLUE)).isNotNull();
  }

  @Test
  void aChildThatIsGoneNeedNotBeDeletedAndALaterOneOfItsNameIsNot() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");
    String before = uid(Color.GREEN);
    client.resource(child(Color.GREEN)).delete();
    activities.deleteChild(await(Color.GREEN, before));
    activities.applyChild(child(Color.GREEN, null));

    activities.deleteChild(await(Color.GREEN, before));

    assertThat(child(Color.GREEN)).isNotNull();
  }

  @Test
  void withTheParentTheLiveChildGoes() {
    blueIsLive();
    client
        .resource(parent())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"finalizers\":[\"%s\"]}}"
                .formatted(FlinkBlueGreenDeployment.FINALIZER));
    client.resource(parent()).delete();
    assertThat(activities.observe(ref).deleting()).isTrue();

    activities.deleteChild(await(Color.BLUE, uid(Color.BLUE)));

    assertThat(child(Color.BLUE)).isNull();
  }

  /** A child takes the savepoint that its spec asks for, and goes then. */
  @Test
  void aChildThatIsBeingDeletedIsWaitedFor() {
    switchedToGreen();
    client
        .resource(child(Color.BLUE))
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"finalizers\":[\"%s\"]}}".formatted(FlinkDeployment.FINALIZER));
    watcher.between(
        () ->
            client
                .resource(child(Color.BLUE))
                .patch(
                    PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}"));

    activities.deleteChild(await(Color.BLUE, uid(Color.BLUE)));

    assertThat(child(Color.BLUE)).isNull();
  }
}
