package dev.sluice.controller.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown of a child that is a session cluster with a job on it. */
class SessionChildStatusTest {

  private static FlinkSessionJob job(
      Color color, DesiredJobState state, String ready, String reason) {
    FlinkSessionJob job = new FlinkSessionJob();
    job.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(color.child("orders"))
            .withUid("0a1b2c3d-0000-4000-8000-0000000000a" + color.ordinal())
            .withGeneration(1L)
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withApiVersion(FlinkBlueGreenDeployment.API_VERSION)
                    .withKind(FlinkBlueGreenDeployment.KIND)
                    .withName("orders")
                    .withUid(BlueGreenScene.UID)
                    .build())
            .build());
    job.setSpec(
        FlinkSessionJobSpec.EMPTY.withJob(
            JobSpec.of("local:///job.jar", 1, UpgradeMode.SAVEPOINT).withState(state)));
    job.setStatus(
        FlinkSessionJobStatus.EMPTY
            .withJobStatus(
                JobStatus.EMPTY.withJobId("job-on-" + color).withState(FlinkJobState.RUNNING))
            .withConditions(
                List.of(
                    BlueGreenScene.condition("Ready", ready, reason, "as the test says"),
                    BlueGreenScene.condition("Running", "True", "Running", "it runs"))));
    return job;
  }

  @Test
  void theJobIsThatOfItsFlinkSessionJob() {
    BlueGreenScene scene =
        BlueGreenScene.running()
            .session(Color.BLUE, job(Color.BLUE, DesiredJobState.RUNNING, "True", "UpToDate"));

    assertThat(scene.wanted().jobStatus().jobId()).isEqualTo("job-on-blue");
    assertThat(scene.condition(ConditionTypes.READY)).startsWith("True/");
    assertThat(scene.decision()).isEqualTo("nothing");
  }

  @Test
  void whatItsJobIsHeldByIsToldOnTheParent() {
    BlueGreenScene scene =
        BlueGreenScene.running()
            .session(
                Color.BLUE, job(Color.BLUE, DesiredJobState.RUNNING, "False", "JobNotRunning"));

    assertThat(scene.condition(ConditionTypes.READY)).startsWith("False/JobNotRunning");
  }

  @Test
  void aLiveClusterWithoutItsJobIsToldAndBroughtToARun() {
    BlueGreenScene scene = BlueGreenScene.running().session(Color.BLUE, null);

    assertThat(scene.condition(ConditionTypes.READY))
        .startsWith("False/JobNotRunning")
        .contains("its FlinkSessionJob does not exist any more");
    assertThat(scene.seen().lacksLiveChild()).isTrue();
  }

  /** It may be there and lack the label by which it is found. */
  @Test
  void aLiveClusterWhoseJobIsNotKnownIsLookedFor() {
    assertThat(BlueGreenScene.running().session(Color.BLUE, null).seen().missing())
        .containsExactly(Color.BLUE);
    assertThat(
            BlueGreenScene.running()
                .session(Color.BLUE, job(Color.BLUE, DesiredJobState.RUNNING, "True", "UpToDate"))
                .seen()
                .missing())
        .isEmpty();
  }

  /** Its job may run beside the live one, unseen. */
  @Test
  void aClusterThatIsNotLiveAndWhoseJobIsNotKnownIsLookedFor() {
    assertThat(
            BlueGreenScene.running().ready(Color.GREEN).session(Color.GREEN, null).seen().missing())
        .containsExactly(Color.GREEN);
    assertThat(
            BlueGreenScene.transition()
                .ready(Color.GREEN)
                .session(Color.GREEN, null)
                .seen()
                .missing())
        .as("the cluster of a cut-over has no job yet")
        .isEmpty();
    assertThat(BlueGreenScene.running().stopped(Color.GREEN).seen().missing())
        .as("an application")
        .isEmpty();
  }

  @Test
  void aJobThatRunsBesideTheLiveOneIsSeen() {
    BlueGreenScene scene =
        BlueGreenScene.running()
            .ready(Color.GREEN)
            .session(Color.GREEN, job(Color.GREEN, DesiredJobState.RUNNING, "True", "UpToDate"));

    assertThat(scene.seen().runsBoth()).isTrue();
    assertThat(
            BlueGreenScene.running()
                .ready(Color.GREEN)
                .session(
                    Color.GREEN, job(Color.GREEN, DesiredJobState.SUSPENDED, "True", "Suspended"))
                .seen()
                .runsBoth())
        .isFalse();
  }
}
