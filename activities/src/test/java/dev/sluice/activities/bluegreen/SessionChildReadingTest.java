package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ChildSeen.Shape;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A child that is a session cluster and a job on it. */
class SessionChildReadingTest {

  private static final String PARENT = "7a1e0000-0000-0000-0000-000000000001";
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final String READY = "status: 'True', observedGeneration: 2, reason: UpToDate";
  private static final String STARTS = "status: 'False', observedGeneration: 2, reason: Deploying";
  private static final String SUSPENDED =
      "status: 'True', observedGeneration: 2, reason: Suspended";
  private static final String HELD =
      "operation: {type: Suspend, state: Blocked, step: TakeSavepoint, message: refused}";

  private static FlinkDeployment cluster(String ready) {
    return SERIALIZATION.unmarshal(
        resource("FlinkDeployment", "c1", 4, "flinkVersion: v2_2", ready, ""),
        FlinkDeployment.class);
  }

  private static FlinkSessionJob job(String state, String ready, String more) {
    String spec =
        "{deploymentName: orders-blue, job: {parallelism: 1, state: %s, initialSavepointPath: s3://b/1}}"
            .formatted(state);
    return SERIALIZATION.unmarshal(
        resource("FlinkSessionJob", "c2", 3, spec, ready, more), FlinkSessionJob.class);
  }

  private static String resource(
      String kind, String uid, long madeFor, String spec, String ready, String more) {
    String braces = spec.startsWith("{") ? spec : "{" + spec + "}";
    return """
        apiVersion: flink.apache.org/v1beta1
        kind: %s
        metadata:
          name: orders-blue
          namespace: default
          uid: %s
          generation: 2
          annotations: {sluice.dev/generation: "%d"}
          ownerReferences: [{apiVersion: flink.apache.org/v1beta1, kind: FlinkBlueGreenDeployment, name: orders, uid: %s}]
        spec: %s
        status: {observedGeneration: 2, conditions: [{type: Ready, %s}]%s}
        """
        .formatted(kind, uid, madeFor, PARENT, braces, ready, more.isEmpty() ? "" : ", " + more);
  }

  private static ChildSeen seen(@Nullable FlinkDeployment cluster, @Nullable FlinkSessionJob job) {
    return ChildReading.of(
        PARENT, Color.BLUE, new FoundChild.Session(cluster, job), new Phase.Finished(null));
  }

  @Test
  void aClusterWithoutAJobIsPreparedWhenItIsReady() {
    ChildSeen seen = seen(cluster(READY), null);

    assertThat(seen.phase()).isEqualTo(new Phase.Prepared());
    assertThat(seen.shape()).isEqualTo(new Shape.Session(false));
    assertThat(seen.isStopped()).isTrue();
    assertThat(seen.madeFor()).isEqualTo(4);
    assertThat(seen(cluster(STARTS), null).phase()).isInstanceOf(Phase.Busy.class);
  }

  @Test
  void aJobIsReadyOnAClusterThatIs() {
    FlinkSessionJob runs = job("running", READY, "jobStatus: {jobId: ab12, state: RUNNING}");

    ChildSeen seen = seen(cluster(READY), runs);

    assertThat(seen.phase()).isInstanceOf(Phase.Ready.class);
    assertThat(seen.uid()).isEqualTo("c1");
    assertThat(seen.startsFrom()).isEqualTo("s3://b/1");
    assertThat(seen.madeFor()).as("both have to be written").isEqualTo(3);
    assertThat(seen.toldToRun()).isTrue();
    assertThat(seen(cluster(STARTS), runs).phase()).isInstanceOf(Phase.Busy.class);
    assertThat(seen(null, runs).phase()).isInstanceOf(Phase.Held.class);
  }

  @Test
  void aJobIsStoppedWhenItIsToldToAndIsSuspendedWhateverItsClusterDoes() {
    FlinkSessionJob suspended =
        job("suspended", SUSPENDED, "recordedState: {type: Savepoint, path: s3://b/left}");

    ChildSeen seen = seen(cluster(STARTS), suspended);

    assertThat(seen.phase()).isEqualTo(new Phase.Suspended("s3://b/left"));
    assertThat(seen.isStopped()).isTrue();
    assertThat(seen(null, suspended).isStopped()).isTrue();
  }

  @Test
  void aJobThatCannotBeStoppedIsHeld() {
    ChildSeen seen = seen(cluster(READY), job("suspended", READY, HELD));

    assertThat(seen.phase()).isInstanceOf(Phase.Held.class);
    assertThat(seen.isStopped()).isFalse();
    assertThat(seen.toldToRun()).isFalse();
  }
}
