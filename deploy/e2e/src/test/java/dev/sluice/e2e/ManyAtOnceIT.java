package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("many")
@OnTestCluster
class ManyAtOnceIT {

  private static final int MANY = Integer.getInteger("sluice.e2e.many", 30);

  @Test
  @Timeout(
      value = 10,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD,
      unit = java.util.concurrent.TimeUnit.MINUTES)
  void allAreServedWhileASavepointNeverEnds(Scene scene) {
    // given
    Job stuck = scene.job("stuck");
    Manifest first = patient(stuck).plusArgs("--slow-snapshot", "-1");
    stuck.deploy(first);
    stuck.apply(first.config("e2e.round", "2"));
    stuck.await("stopping", it -> it.operation().equals("Upgrade Running StopWithSavepoint"));

    // when
    List<Job> others =
        IntStream.range(1, MANY).mapToObj(number -> scene.job("one-" + number)).toList();
    scene
        .cluster()
        .kubectl()
        .apply(others.stream().map(it -> patient(it).text()).collect(Collectors.joining("\n")));

    // then
    await()
        .atMost(Duration.ofMinutes(8))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertThat(others).allSatisfy(it -> assertThat(it.get().isReady()).isTrue()));
    assertThat(others).allSatisfy(it -> assertThat(it.counts().exact()).isTrue());
    assertThat(stuck.get().operation()).isEqualTo("Upgrade Running StopWithSavepoint");
    assertThat(stuck.lane().isOpen()).isTrue();
  }

  /** Dozens of processes on two cores: silence is no sign of death. */
  private static Manifest patient(Job job) {
    return job.manifest().config("heartbeat.timeout", "60000");
  }
}
