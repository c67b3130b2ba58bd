package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.RescaleActivities.Answer;
import dev.sluice.workflows.activity.RescaleActivities.RescaleRequest;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When the parallelism is not changed, because of what Flink says of the job. */
class RescaleLimitsIT extends RescaleScenario {

  @Test
  void aJobWithoutACheckpointWouldStartEmptyAndIsNotScaled() {
    checkpointed(null);

    assertThat(rescale.checkRescale(request()).problem())
        .isEqualTo("the job has no checkpoint since its JobManager started");
    assertThat(rescale.changeParallelism(request()).problem()).isNotNull();
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aCheckpointThatGotOldSinceTheLookIsFoundBeforeTheChange() {
    assertThat(rescale.checkRescale(request()).problem()).isNull();
    checkpointed(Duration.ofHours(5));

    assertThat(rescale.changeParallelism(request()).problem())
        .isEqualTo("its newest checkpoint was completed 18000 s ago, more than 120 s");
    assertThat(flink.effects).isEmpty();
    assertThat(deployment("orders").getMetadata().getAnnotations())
        .doesNotContainKey(Annotations.RESCALED_FROM);
  }

  @Test
  void whatIsRequiredAlreadyNeedsNoCheckpoint() {
    rescale.changeParallelism(request());
    checkpointed(null);

    assertThat(rescale.checkRescale(request()).problem()).isNull();
    assertThat(rescale.changeParallelism(request()).problem()).isNull(); // its answer was lost
  }

  @Test
  void theOldParallelismIsSentAlsoWhereAnEarlierChangeHasNotArrivedYet() {
    flink.refuseChange(new FlinkRestException.Unreachable("no answer in time", null));
    assertThatThrownBy(() -> rescale.changeParallelism(request()))
        .isInstanceOf(ApplicationFailure.class);
    flink.refuseChange(null);

    rescale.undoRescale(request());

    assertThat(flink.effects).hasSize(2).last().asString().contains("upper=2");
  }

  @Test
  void aParallelismThatTheStateDoesNotAllowIsHeldAndNotUpgraded() {
    flink.vertex("a", 1, 2, 4);

    Answer expected = Answer.held("vertex a can have 4 subtasks at most, not 5");
    assertThat(rescale.checkRescale(request())).isEqualTo(expected);
    assertThat(rescale.changeParallelism(request())).isEqualTo(expected);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void anotherMaximumThatTheStateDoesNotAllowIsHeldBeforeAnUpgradeStopsTheJob() {
    newest(maximum(FIVE, "8"));
    status(maximum(TWO, "4"), 1, maximum(TWO, "4"), ReconciliationState.DEPLOYED);
    flink.vertex("a", 1, 2, 4);
    flink.vertex("b", 1, 1, 4);

    assertThat(check().held()).isTrue();

    flink.vertex("a", 1, 2, 64); // the code of the job sets it
    flink.vertex("b", 1, 1, 64);
    assertThat(check())
        .isEqualTo(new Answer("spec.flinkConfiguration.pipeline.max-parallelism has changed, too"));
  }

  private Answer check() {
    long newest = resource().getMetadata().getGeneration();
    return rescale.checkRescale(new RescaleRequest(ref, Refs.job(ref, Refs.JOB_ID), newest));
  }

  private static FlinkDeploymentSpec maximum(FlinkDeploymentSpec spec, String maximum) {
    return spec.withConfiguration(spec.configuration().with(InPlaceScaling.MAXIMUM, maximum));
  }

  private void newest(FlinkDeploymentSpec spec) {
    FlinkDeployment resource = resource();
    resource.setSpec(spec);
    client.resource(resource).update();
  }

  @Test
  void anUpgradeThatDropsTheStateMayHaveAnotherMaximum() {
    flink.vertex("a", 1, 2, 4);
    FlinkDeploymentSpec stateless =
        TWO.withJob(JobSpec.of("local:///job.jar", 5, UpgradeMode.STATELESS));
    status(stateless, 2, TWO, ReconciliationState.UPGRADING);

    assertThat(rescale.changeParallelism(request()))
        .isEqualTo(new Answer("vertex a can have 4 subtasks at most, not 5"));
  }

  @Test
  void withoutItsTaskManagerDeploymentNothingIsScaled() {
    client.resource(deployment("orders-taskmanager")).delete();

    assertThat(rescale.checkRescale(request()).problem())
        .isEqualTo("there is no TaskManager Deployment");
    assertThat(rescale.changeParallelism(request()).problem()).isNotNull();
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobManagerThatReadTheOldParallelismIsFoundAfterTheClusterIsUpdated() {
    rescale.changeParallelism(request());
    flink.vertex("a", 1, 2, 128); // it was lost, and has begun the job again

    fails(FailureType.OUTDATED, () -> rescale.updateCluster(request()));
    assertThat(configuration()).contains("parallelism.default: \"5\"");

    rescale.changeParallelism(request());
    rescale.updateCluster(request());
    assertThat(bounds("a")).isEqualTo(new Bounds(1, 5));
  }

  @Test
  void aJobThatIsNotUpAgainIsWaitedForBeforeItIsStable() {
    rescale.changeParallelism(request());
    flink.job(FlinkJobState.RESTARTING, 0);

    assertThatThrownBy(() -> rescale.updateCluster(request()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.isNonRetryable()).isFalse())
        .hasMessageContaining("RESTARTING");
  }

  @Test
  void aJobThatHasFinishedMeanwhileNeedsNoParallelism() {
    rescale.changeParallelism(request());
    flink.vertex("a", 1, 2, 128);
    flink.job(FlinkJobState.FINISHED, 0);

    rescale.updateCluster(request());

    assertThat(configuration()).contains("parallelism.default: \"5\"");
  }
}
