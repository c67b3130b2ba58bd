package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Resource;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("e2e")
@OnTestCluster
class ParkingIT {

  @Test
  void aJobThatFailsAtItsStartWaitsForABetterSpec(Scene scene) {
    // given
    Job job = scene.job("failing");
    job.apply(job.manifest("counter-failing.yaml"));

    // when
    Resource parked = job.await("stalled", Resource::isStalled);

    // then
    assertThat(parked.status("/operation/state")).isEqualTo("Parked");
    assertThat(parked.status("/operation/reason")).isEqualTo("JobFailed");
    assertThat(parked.message("Stalled")).contains("--fail-at-start");
    // an event is written after the status, and what is searched for is indexed later
    soon(() -> assertThat(events(scene, job, "Parked")).hasSize(1));
    assertThat(job.lane().details()).contains("Action required", "JobFailed", "sluice.dev/retry");
    assertThat(job.lane().progress().at("/held/reason").asText()).isEqualTo("JobFailed");
    soon(
        () ->
            assertThat(
                    scene
                        .cluster()
                        .temporal()
                        .listExecutions(
                            "FlinkStep='Parked' and FlinkNamespace='" + job.namespace() + "'"))
                .hasSize(1));

    // and
    Resource ready = job.deploy(job.manifest());
    assertThat(ready.condition("Stalled")).startsWith("False");
    assertThat(job.counts().exact()).isTrue();
  }

  private static void soon(ThrowingRunnable assertion) {
    await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
  }

  private static java.util.List<String> events(Scene scene, Job job, String reason) {
    return scene
        .cluster()
        .kubectl()
        .run(
            "get",
            "events",
            "-n",
            job.namespace(),
            "--field-selector=reason=" + reason,
            "-o",
            "custom-columns=:message",
            "--no-headers")
        .lines()
        .toList();
  }
}
