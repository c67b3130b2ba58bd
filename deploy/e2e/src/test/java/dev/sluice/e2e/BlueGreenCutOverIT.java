package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.BlueGreen;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SessionJob;
import dev.sluice.local.demo.Counts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Exactly-once cut-overs of a FlinkBlueGreenDeployment: see docs/blue-green.md. */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
class BlueGreenCutOverIT {

  @Test
  void theNewJobGoesOnExactlyWhereTheOldOneStoppedThoughTheWorkerIsKilled(Scene scene)
      throws Exception {
    // given
    BlueGreen parent =
        new BlueGreen(scene, "cut").configured("sluice.bluegreen.cut-over", "exactly-once");
    Job blue = SessionJob.cluster(scene, "cut-blue", "flink:2.2");
    Job green = parent.child("green");
    SessionJob ofBlue = new SessionJob(scene.cluster(), blue, blue.name());
    SessionJob ofGreen = new SessionJob(scene.cluster(), green, green.name());
    Manifest first = blue.manifest().jar("local://" + SessionJob.jar(blue));
    parent.apply(first);
    parent.awaitLive("blue");
    Counts before = ofBlue.counts();

    // when
    Breakpoint held = parent.hold(Moment.AFTER, "StopLive");
    parent.apply(first.restartNonce(2));
    await().until(held::isReached);
    assertThat(green.flink().jobs()).isEmpty();
    scene.cluster().kill("worker");
    held.release();
    parent.awaitLive("green");

    // then
    assertThat(ofGreen.counts().problemSince(before)).isEmpty();
    assertThat(ofGreen.counts().restored()).isGreaterThanOrEqualTo(before.total());
    assertThat(blue.find()).isEmpty();

    // when it is given up after the old job was stopped
    parent.configured("sluice.bluegreen.gate.checkpoints", "1000");
    Counts ofOld = ofGreen.counts();
    parent.apply(first.restartNonce(3));
    parent.await("at its gates", it -> it.status("/operation/step").equals("AwaitGates"));
    assertThat(green.flink().jobs()).noneMatch(it -> it.endsWith("RUNNING"));
    parent.annotate("sluice.dev/abort", "1");

    // then the old one goes on from where it was stopped
    Resource aborted =
        parent.await("given up", it -> it.operation().startsWith("Transition Aborted"));
    assertThat(aborted.status("/blueGreenState")).isEqualTo("ACTIVE_GREEN");
    assertThat(blue.find()).isEmpty();
    ofGreen.await("ready", Resource::isReady);
    assertThat(ofGreen.counts().problemSince(ofOld)).isEmpty();
    parent.delete();
    assertThat(green.find()).isEmpty();
  }
}
