package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.testing.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("bench")
@Isolated("it takes the whole machine")
@OnTestCluster
class ManyAtOnceIT {

  private static final int MANY = Integer.getInteger("sluice.e2e.many", 30);

  private static final Map<String, String> PATIENT =
      Map.of(
          "heartbeat.interval", "10000",
          "heartbeat.timeout", "180000",
          "pekko.ask.timeout", "3 min",
          "slot.request.timeout", "900000",
          "high-availability.kubernetes.leader-election.lease-duration", "3 min",
          "high-availability.kubernetes.leader-election.renew-deadline", "3 min",
          "high-availability.kubernetes.leader-election.retry-period", "5 s",
          "execution.checkpointing.interval", "1 min",
          "kubernetes.operator.deployment.readiness.timeout", "15 min");

  @Test
  @Timeout(
      value = 25,
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
        .atMost(Patience.times(10))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertThat(others).allSatisfy(it -> assertThat(it.get().isReady()).isTrue()));
    assertThat(others).allSatisfy(it -> assertThat(it.counts().exact()).isTrue());
    assertThat(stuck.get().operation()).isEqualTo("Upgrade Running StopWithSavepoint");
    assertThat(stuck.lane().isOpen()).isTrue();
  }

  /**
   * Dozens of processes that start on two cores: silence is no sign of death. The example's own
   * times are those of one job on an idle laptop, and a JobManager that loses its lease or waits
   * too long for an answer of its own ends and starts from nothing, which makes it worse for all.
   */
  private static Manifest patient(Job job) {
    Manifest manifest = job.manifest().plusArgs("--rate", "10");
    for (Map.Entry<String, String> entry : PATIENT.entrySet()) {
      manifest = manifest.config(entry.getKey(), entry.getValue());
    }
    return manifest;
  }
}
