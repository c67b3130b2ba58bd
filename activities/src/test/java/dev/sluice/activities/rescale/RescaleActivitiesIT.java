package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.RescaleActivities.RescaleRequest;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is changed, and taken back, of a cluster whose job is scaled. */
class RescaleActivitiesIT extends RescaleScenario {

  @Test
  void whatCanBeDoneInPlaceIsFoundOutWithoutAnyChange() {
    assertThat(rescale.checkRescale(request()).problem()).isNull();

    assertThat(flink.effects).isEmpty();
    assertThat(deployment("orders").getMetadata().getAnnotations())
        .doesNotContainKey(Annotations.RESCALED_FROM);
  }

  @Test
  void aSpecThatIsNotTheNewestAnyMoreIsNotLookedAt() {
    RescaleRequest old = new RescaleRequest(ref, Refs.job(ref, Refs.JOB_ID), 1);

    fails(FailureType.OUTDATED, () -> rescale.checkRescale(old));
  }

  @Test
  void whereNoJobWasEverStableNothingIsScaled() {
    status(FIVE, 2, null, ReconciliationState.UPGRADING);

    assertThat(rescale.checkRescale(request()).problem()).isEqualTo("no job was ever stable");
  }

  @Test
  void aClusterThatWasMadeFromAnotherSpecIsNotScaled() {
    status(FIVE, 2, TWO, 9, ReconciliationState.UPGRADING);

    assertThat(rescale.checkRescale(request()).problem())
        .isEqualTo("the cluster was made from another spec than the last stable one");
  }

  @Test
  void thatFlinkRefusesTheOldParallelismIsToldAsSuch() {
    rescale.changeParallelism(request());
    flink.refuseChange(new FlinkRestException.Rejected("not with me"));

    fails(FailureType.REFUSED, () -> rescale.undoRescale(request()));
  }

  @Test
  void aJobThatNobodyRunsAsTheSpecSaysIsNotScaled() {
    flink.vertex("a", 1, 3, 128); // somebody has changed it in Flink
    flink.vertex("b", 1, 3, 128);

    assertThat(rescale.checkRescale(request()).problem())
        .isEqualTo("no vertex of the job runs with the parallelism of the old spec, 2");
    assertThat(rescale.changeParallelism(request()).problem()).isNotNull();
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aSchedulerThatCannotDoItSaysSo() {
    flink.refuseChange(new FlinkRestException.Rejected("not with me"));

    assertThat(rescale.changeParallelism(request()).problem()).isEqualTo("not with me");
  }

  /** A worker that is lost right after Flink was asked leaves what is needed to take it back. */
  @Test
  void whatTakesItBackAndTheTaskManagersAreThereBeforeFlinkIsAsked() {
    flink.refuseChange(new FlinkRestException.Unreachable("reset by peer", null));

    assertThatThrownBy(() -> rescale.changeParallelism(request()))
        .isInstanceOf(ApplicationFailure.class);

    assertThat(flink.effects).hasSize(1);
    assertThat(deployment("orders").getMetadata().getAnnotations())
        .containsKey(Annotations.RESCALED_FROM);
    assertThat(deployment("orders-taskmanager").getSpec().getReplicas()).isEqualTo(5);
  }

  @Test
  void aClusterThatIsReplacedMeanwhileIsLeftAlone() {
    RescaleActivitiesImpl late = rescaling(afterRequirements(this::replaceDeployment));

    assertThatThrownBy(() -> late.changeParallelism(request()))
        .isInstanceOf(ApplicationFailure.class);

    assertThat(flink.effects).isEmpty();
    assertThat(deployment("orders").getMetadata().getAnnotations())
        .doesNotContainKey(Annotations.RESCALED_FROM);
  }

  @Test
  void theParallelismIsRequiredOnce() {
    assertThat(rescale.changeParallelism(request()).problem()).isNull();
    assertThat(rescale.changeParallelism(request()).problem()).isNull(); // its answer was lost

    assertThat(flink.effects).hasSize(1);
    assertThat(bounds("a")).isEqualTo(new Bounds(1, 5));
    assertThat(bounds("b")).as("the job itself says 1").isEqualTo(new Bounds(1, 1));
    assertThat(deployment("orders-taskmanager").getSpec().getReplicas()).isEqualTo(5);
    assertThat(deployment("orders").getMetadata().getAnnotations())
        .containsEntry(Annotations.GENERATION, "1")
        .containsKey(Annotations.RESCALED_FROM);
  }

  @Test
  void theClusterSaysWhatItWasScaledToAndNoPodTemplateChanges() {
    Deployment before = deployment("orders");
    rescale.changeParallelism(request());

    rescale.updateCluster(request());
    rescale.updateCluster(request());

    assertThat(configuration()).contains("parallelism.default: \"5\"").doesNotContain("\"2\"\n");
    assertThat(deployment("orders").getMetadata().getAnnotations())
        .containsEntry(Annotations.GENERATION, "2")
        .containsEntry(Annotations.JOB_ID, Refs.JOB_ID);
    assertThat(deployment("orders").getSpec()).isEqualTo(before.getSpec());
    assertThat(deployment("orders-taskmanager").getMetadata().getAnnotations())
        .containsEntry(Annotations.GENERATION, "2");
  }

  @Test
  void allOfItIsTakenBack() {
    String before = configuration();
    rescale.changeParallelism(request());
    rescale.updateCluster(request());

    rescale.undoRescale(request());
    rescale.undoRescale(request());

    assertThat(flink.effects).hasSize(2);
    assertThat(bounds("a")).isEqualTo(new Bounds(1, 2));
    assertThat(configuration().lines())
        .containsExactlyInAnyOrderElementsOf(before.lines().toList());
    assertThat(deployment("orders").getMetadata().getAnnotations())
        .containsEntry(Annotations.GENERATION, "1")
        .doesNotContainKey(Annotations.RESCALED_FROM);
    assertThat(deployment("orders-taskmanager").getSpec().getReplicas())
        .as("Kubernetes does not know which of them run the job")
        .isEqualTo(5);
  }

  @Test
  void nothingIsTakenBackOfWhatIsBeingDeleted() {
    rescale.changeParallelism(request());
    FlinkDeployment held = resource();
    held.getMetadata().setFinalizers(List.of("example.com/held"));
    client.resource(held).update();
    client.resource(resource()).delete();

    rescale.undoRescale(request());

    assertThat(flink.effects).hasSize(1);
    FlinkDeployment released = resource();
    released.getMetadata().setFinalizers(List.of());
    client.resource(released).update();
  }

  @Test
  void whereNothingWasChangedNothingIsTakenBack() {
    rescale.undoRescale(request());

    assertThat(flink.effects).isEmpty();
  }

  @Test
  void whatIsNotBegunAnyMoreIsNotDone() {
    status(FIVE, 2, TWO, ReconciliationState.DEPLOYED);

    fails(FailureType.OUTDATED, () -> rescale.changeParallelism(request()));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void theClusterOfAnotherJobIsLeftAlone() {
    RescaleRequest other =
        new RescaleRequest(ref, Refs.job(ref, "ffffffffffffffffffffffffffffffff"), 2);

    fails(FailureType.OUTDATED, () -> rescale.changeParallelism(other));
  }

  @Test
  void aJobManagerThatDoesNotAnswerMayAnswerLater() {
    flink.up(false);

    assertThatThrownBy(() -> rescale.changeParallelism(request()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.isNonRetryable()).isFalse());
  }

  private void replaceDeployment() {
    Deployment before = deployment("orders");
    client.resource(before).withGracePeriod(0).delete();
    Deployment after =
        new DeploymentBuilder(before)
            .editMetadata()
            .withUid(null)
            .withResourceVersion(null)
            .withCreationTimestamp(null)
            .endMetadata()
            .build();
    Deployment unused = client.resource(after).create();
  }

  /** Flink, which is asked for the requirements of the job before anything is written. */
  private FlinkRest afterRequirements(Runnable change) {
    return (FlinkRest)
        Proxy.newProxyInstance(
            FlinkRest.class.getClassLoader(),
            new Class<?>[] {FlinkRest.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(flink, arguments);
              if (method.getName().equals("requirements")) {
                change.run();
              }
              return answer;
            });
  }
}
