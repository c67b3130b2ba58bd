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
import dev.sluice.local.demo.Counts;
import dev.sluice.testing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** FlinkBlueGreenDeployments: see docs/blue-green.md. */
@Tag("e2e")
@Isolated("it kills the worker and the controller")
@OnTestCluster
class BlueGreenIT {

  /** Whoever reads the status meanwhile must never see another child deleted than it says. */
  @Test
  void twoTransitionsWithWorkerAndControllerKilledInTheMiddle(Scene scene) {
    // given
    BlueGreen parent =
        new BlueGreen(scene, "orders").configured("sluice.bluegreen.gate.checkpoints", "1");
    Job blue = parent.child("blue");
    Job green = parent.child("green");
    Manifest first = blue.manifest();
    parent.apply(first);
    parent.awaitLive("blue");
    Counts before = blue.counts();

    // when
    Breakpoint held = parent.hold(Moment.AFTER, "ApplyChild");
    parent.apply(first.parallelism(2));
    await().until(held::isReached);
    scene.cluster().kill("worker");
    scene.cluster().kill("controller");
    held.release();
    parent.awaitLive("green");

    // then
    assertThat(green.counts().restored()).isGreaterThanOrEqualTo(before.total());
    assertThat(green.counts().exact()).isTrue();
    assertThat(blue.find()).isEmpty();

    // when
    Counts ofGreen = green.counts();
    Breakpoint atTheEnd = parent.hold(Moment.BEFORE, "DeleteChild");
    parent.apply(first);
    await().atMost(Patience.times(2)).until(atTheEnd::isReached);
    scene.cluster().kill("worker");
    scene.cluster().kill("controller");
    atTheEnd.release();
    parent.awaitLive("blue");

    // then
    assertThat(blue.counts().restored()).isGreaterThanOrEqualTo(ofGreen.total());
    assertThat(blue.counts().exact()).isTrue();
    assertThat(green.find()).isEmpty();
    parent.delete();
    assertThat(blue.find()).isEmpty();
  }

  @Test
  void anAbortInTheGracePeriodLeavesTheLiveJobUntouched(Scene scene) {
    // given
    BlueGreen parent =
        new BlueGreen(scene, "kept").configured("sluice.bluegreen.gate.checkpoints", "1000");
    Job blue = parent.child("blue");
    Job green = parent.child("green");
    parent.apply(blue.manifest());
    parent.awaitLive("blue");
    String job = blue.get().status("/jobStatus/jobId");

    // when
    parent.apply(blue.manifest().restartNonce(7));
    parent.await("at its gates", it -> it.status("/operation/step").equals("AwaitGates"));
    parent.annotate("sluice.dev/abort", "too many errors");

    // then
    Resource aborted =
        parent.await("given up", it -> it.operation().startsWith("Transition Aborted"));
    assertThat(aborted.status("/blueGreenState")).isEqualTo("ACTIVE_BLUE");
    assertThat(aborted.status("/givenUp/generation")).isEqualTo("2");
    assertThat(blue.get().status("/jobStatus/jobId")).isEqualTo(job);
    assertThat(blue.get().generation()).isEqualTo(1);
    assertThat(blue.counts().restored()).isZero();
    assertThat(blue.counts().exact()).isTrue();
    green.await("suspended", it -> it.status("/lifecycleState").equals("SUSPENDED"));

    // when
    parent.annotate("sluice.dev/retry", "1");
    parent.await("begun again", it -> it.status("/transition/to").equals("green"));
    parent.configured("sluice.bluegreen.gate.checkpoints", "0");
    parent.apply(blue.manifest().restartNonce(7));
    parent.awaitLive("green");

    // then
    assertThat(green.counts().exact()).isTrue();
    assertThat(blue.find()).isEmpty();
    parent.delete();
    assertThat(green.find()).isEmpty();
  }
}
