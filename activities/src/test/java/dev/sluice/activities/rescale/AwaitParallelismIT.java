package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.activity.RescaleActivities.AwaitParallelismRequest;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The wait until a job runs as was required. */
class AwaitParallelismIT extends RescaleScenario {

  private String awaitParallelism() {
    temporal.registerActivitiesImplementations(rescale);
    return temporal
        .newActivityStub(RescaleActivities.class)
        .awaitParallelism(new AwaitParallelismRequest(request(), clock.in(Duration.ofMinutes(5))));
  }

  private static void failsAs(String type, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(ActivityFailure.class)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(type);
              assertThat(failure.getOriginalMessage()).contains(message);
            });
  }

  @Test
  void theJobIsWaitedForUntilEachVertexRunsAsIsRequired() {
    rescale.changeParallelism(request());
    flink.job(Refs.JOB_ID, FlinkJobState.RUNNING, FakeFlink.tasks(3, 0, 0));
    watcher.between(
        () -> {
          flink.settle();
          flink.job(Refs.JOB_ID, FlinkJobState.RUNNING, FakeFlink.tasks(6, 0, 0));
        });

    assertThat(awaitParallelism()).isEqualTo(FakeFlink.tasks(6, 0, 0).display());
    assertThat(watcher.last().limit().timeoutType()).isEqualTo(FailureType.CLUSTER_NOT_READY);
    assertThat(watcher.last().subject().resource()).as("whose status tells of it").isEqualTo(ref);
    assertThat(watcher.last().subject().key()).isEqualTo(Refs.cluster(ref).display());
  }

  @Test
  void aJobThatHasFinishedHasNothingLeftToScale() {
    rescale.changeParallelism(request());
    flink.job(FlinkJobState.FINISHED, 0);

    assertThat(awaitParallelism()).isEqualTo("the job has finished");
  }

  @Test
  void aJobThatFailsEndsIt() {
    rescale.changeParallelism(request());
    flink.job(FlinkJobState.FAILED, 0);

    failsAs(FailureType.JOB_FAILED, "is FAILED", this::awaitParallelism);
  }

  @Test
  void aParallelismThatSomebodyChangesMeanwhileIsNotWaitedFor() {
    rescale.changeParallelism(request());
    flink.vertex("a", 1, 3, 128);

    failsAs(FailureType.OUTDATED, "has changed meanwhile", this::awaitParallelism);
  }

  @Test
  void aClusterThatGoesIsNotWaitedFor() {
    rescale.changeParallelism(request());
    flink.up(false);
    watcher.each(Duration.ofSeconds(30));
    watcher.between(() -> client.resource(deployment("orders")).delete());

    failsAs(FailureType.OUTDATED, "there is no JobManager Deployment", this::awaitParallelism);
  }

  @Test
  void aParallelismThatWasNotChangedIsNotWaitedFor() {
    failsAs(FailureType.OUTDATED, "the parallelism was not changed", this::awaitParallelism);
  }

  @Test
  void theParallelismOfAnOperationThatHasEndedIsNotWaitedFor() {
    rescale.changeParallelism(request());
    status(FIVE, 2, TWO, ReconciliationState.DEPLOYED);

    failsAs(FailureType.OUTDATED, "no operation to generation 2 is begun", this::awaitParallelism);
  }
}
