package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A job whose parallelism changes while it runs. */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
class RescaleIT {

  /** Netty of three subtasks that exchange data may take 12.9 MB; the example allows 12.6. */
  private static final String DIRECT_MEMORY = "taskmanager.memory.framework.off-heap.size";

  @Test
  void aJobGoesOnWithAnotherParallelismUnderTheSameId(Scene scene) throws IOException {
    // given
    Job job = scene.job("rescale");
    Manifest one = job.manifest("rescale.yaml").config(DIRECT_MEMORY, "16m");
    job.deploy(one);
    List<String> jobs = job.flink().jobs();
    job.await("a checkpoint", it -> job.flink().hasNewestCheckpoint());
    try (ExactUpgrade watch = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Breakpoint changed = job.hold(Moment.AFTER, "ChangeParallelism");
      job.apply(one.parallelism(3));
      job.awaitHeld(changed);
      scene.cluster().kill("worker");
      changed.release();
      Resource three = job.awaitReady();

      // then
      assertThat(three.operation()).isEqualTo("Rescale Succeeded MarkStable");
      assertThat(job.flink().parallelism()).isEqualTo(3);
      assertThat(watch.goesOn().exact()).as("no element lost or doubled").isTrue();

      // when
      Resource two = job.deploy(one.parallelism(2));

      // then
      assertThat(two.operation()).isEqualTo("Rescale Succeeded MarkStable");
      assertThat(job.flink().parallelism()).isEqualTo(2);
      assertThat(watch.goesOn().exact()).as("no element lost or doubled").isTrue();
      assertThat(job.flink().jobs()).as("the same job").isEqualTo(jobs);
      assertThat(two.status("/reconciliationStatus/lastStableSpec")).contains("\"parallelism\":2");
      watch.verifySavepoints(0);
      watch.verifyOneCluster(1);
    }
  }
}
