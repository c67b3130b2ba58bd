package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.Annotations;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.TransitionSource;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import java.time.Duration;
import java.util.Collections;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a transition writes of children, and what it leaves alone. */
class ChildWriteIT extends BlueGreenScenario {

  @Test
  void theLiveChildIsNeverReplacedInPlace() {
    blueIsLive();
    apply(image("flink:2.3"));

    fails(FailureType.OUTDATED, () -> begun(Color.BLUE, Source.SPEC));
  }

  /** Never from a savepoint to nothing, because a path is not written yet. */
  @Test
  void aChildIsNotMadeBeforeItsSavepointIsTaken() {
    blueIsLive();
    apply(image("flink:2.3"));
    Begin unused = begun(Color.GREEN, Source.SAVEPOINT);

    fails(FailureType.OUTDATED, () -> activities.applyChild(child(Color.GREEN, null)));
    assertThat(child(Color.GREEN)).isNull();
  }

  /** That path is from before the live job: what it did since would be done again. */
  @Test
  void aTransitionWithoutStateDoesNotStartFromThePathOfTheSpec() {
    apply(startingFrom("s3://bucket/long-ago"));
    blueIsLive();
    assertThat(child(Color.BLUE).getSpec().job().initialSavepointPath())
        .isEqualTo("s3://bucket/long-ago");
    restoreFrom("empty");
    apply(image("flink:2.3"));

    Begin begun = begun(Color.GREEN, Source.EMPTY);
    activities.applyChild(child(Color.GREEN, null));

    assertThat(begun).isEqualTo(new Begin.Begun(standing()));
    assertThat(status().transition().source()).isEqualTo(TransitionSource.EMPTY);
    assertThat(status().blueGreenState()).isEqualTo(BlueGreenState.TRANSITIONING_TO_GREEN);
    assertThat(child(Color.GREEN).getSpec().job().initialSavepointPath()).isNull();
    assertThat(activities.observe(ref).restoreFrom()).isNull();
  }

  @Test
  void whatAnotherTransitionLeftIsNotChanged() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");
    end(false);
    apply(image("flink:2.4"));
    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/newer"));

    fails(FailureType.OUTDATED, () -> activities.applyChild(child(Color.GREEN, uid(Color.GREEN))));
    assertThat(child(Color.GREEN).getSpec().image()).isEqualTo("flink:2.3");
  }

  @Test
  void aChildOfSomebodyElseIsNotTouched() {
    FlinkDeployment others = Deployed.orders(namespace);
    others.getMetadata().setName("orders-blue");
    client.resource(others).create();

    fails(FailureType.NAME_TAKEN, () -> begun(Color.BLUE, Source.SPEC));
    assertThat(activities.observe(ref).blue().ours()).isFalse();
  }

  @Test
  void aResourceThatTakesTheNameAtTheLastMomentIsNotOverwritten() {
    blueIsLive();
    apply(image("flink:2.3"));
    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/known"));
    ChildRequest apply = child(Color.GREEN, null);
    FlinkDeployment others = Deployed.orders(namespace);
    others.getMetadata().setName("orders-green");
    before.once("PATCH", "/orders-green", () -> client.resource(others).create());

    fails(FailureType.NAME_TAKEN, () -> activities.applyChild(apply));
    assertThat(child(Color.GREEN).getMetadata().getOwnerReferences()).isEmpty();
    assertThat(child(Color.GREEN).getSpec()).isEqualTo(others.getSpec());
  }

  /** Temporal has begun another attempt by then, and the workflow may have gone on. */
  @Test
  void anAttemptThatIsTooSlowMakesNoChild() {
    blueIsLive();
    apply(image("flink:2.3"));
    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/known"));
    ChildRequest apply = child(Color.GREEN, null);
    before.once("GET", "/orders-green", () -> clock.advance(Duration.ofSeconds(10)));

    fails(KubernetesFailure.UNAVAILABLE, () -> activities.applyChild(apply));
    assertThat(child(Color.GREEN)).isNull();
  }

  /** A first deployment that does not come up is corrected in place, as by Apache's operator. */
  @Test
  void aNewerSpecIsAppliedToTheChildOfAFirstDeployment() {
    Begin unused = begun(Color.BLUE, Source.SPEC);
    activities.applyChild(child(Color.BLUE, null));
    String uid = uid(Color.BLUE);
    apply(image("flink:2.3"));
    Begin again = begun(Color.BLUE, Source.SPEC);

    activities.applyChild(child(Color.BLUE, uid));

    assertThat(again).isInstanceOf(Begin.Begun.class);
    assertThat(uid(Color.BLUE)).isEqualTo(uid);
    assertThat(child(Color.BLUE).getSpec().image()).isEqualTo("flink:2.3");
    assertThat(child(Color.BLUE).getMetadata().getAnnotations())
        .containsEntry(Annotations.GENERATION, "2");
  }

  /** The live one was deleted by somebody: nothing else has the state. */
  @Test
  void theOnlyChildThatIsLeftTakesANewerSpecOver() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");
    String uid = uid(Color.GREEN);
    apply(image("flink:2.4"));
    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/known"));
    fails(FailureType.OUTDATED, () -> activities.applyChild(child(Color.GREEN, uid)));

    client.resource(child(Color.BLUE)).delete();
    activities.applyChild(child(Color.GREEN, uid));

    assertThat(uid(Color.GREEN)).isEqualTo(uid);
    assertThat(child(Color.GREEN).getSpec().image()).isEqualTo("flink:2.4");
    assertThat(child(Color.GREEN).getSpec().job().initialSavepointPath())
        .isEqualTo("s3://bucket/known");
  }

  @Test
  void aPatchKeepsWhatTheLiveChildWasStartedFrom() {
    switchedToGreen();
    end(true);
    apply(
        job(
            job ->
                job.withUpgradeMode(UpgradeMode.STATELESS)
                    .withInitialSavepointPath("s3://bucket/other")));
    assertThat(activities.observe(ref).change()).isEqualTo(Change.PATCH);

    activities.applyChild(child(Color.GREEN, uid(Color.GREEN)));
    end(true);

    assertThat(child(Color.GREEN).getSpec().job().upgradeMode()).isEqualTo(UpgradeMode.STATELESS);
    assertThat(child(Color.GREEN).getSpec().job().initialSavepointPath())
        .isEqualTo("s3://bucket/known");
    assertThat(standing().reached()).isEqualTo(generation());
  }

  /** As with a FlinkDeployment: until there is a job that could have a state, the path counts. */
  @Test
  void aLiveChildThatNeverRanStartsFromWhatTheNewestSpecNames() {
    apply(startingFrom("s3://bucket/wrong"));
    apply(suspended());
    Begin unused = begun(Color.BLUE, Source.SPEC);
    activities.applyChild(child(Color.BLUE, null));
    neverRan(Color.BLUE);
    switchTo(Color.BLUE);
    end(true);
    apply(startingFrom("s3://bucket/right"));
    assertThat(activities.observe(ref).change()).isEqualTo(Change.PATCH);

    activities.applyChild(child(Color.BLUE, uid(Color.BLUE)));

    assertThat(child(Color.BLUE).getSpec().job().initialSavepointPath())
        .isEqualTo("s3://bucket/right");
  }

  /** That is all there is of the state of the live child that was lost. */
  @Test
  void aLiveChildThatNeverRanAndWasMadeFromWhatAPersonChoseKeepsThat() {
    blueIsLive();
    apply(suspended());
    client.resource(child(Color.BLUE)).delete();
    activities.begin(begin(Color.GREEN, Source.KNOWN, "s3://bucket/chosen"));
    activities.applyChild(child(Color.GREEN, null));
    neverRan(Color.GREEN);
    switchTo(Color.GREEN);
    end(true);
    apply(startingFrom("s3://bucket/of-long-ago"));

    activities.applyChild(child(Color.GREEN, uid(Color.GREEN)));

    assertThat(child(Color.GREEN).getSpec().job().initialSavepointPath())
        .isEqualTo("s3://bucket/chosen");
  }

  private void neverRan(Color color) {
    says(color, "True", "Suspended");
    childStatus(color, Collections.singletonMap("jobStatus", null));
  }

  private static UnaryOperator<FlinkBlueGreenDeploymentSpec> suspended() {
    return job(job -> job.withState(DesiredJobState.SUSPENDED));
  }
}
