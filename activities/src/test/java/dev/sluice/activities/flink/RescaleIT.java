package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parallelism of a job that runs, changed in a real Flink. */
class RescaleIT {

  private static final Map<String, String> ADAPTIVE =
      Map.of(
          "jobmanager.scheduler", "adaptive",
          "web.refresh-interval", "200",
          "jobmanager.adaptive-scheduler.scaling-interval.min", "100ms",
          "jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "100ms",
          "jobmanager.adaptive-scheduler.resource-stabilization-timeout", "100ms",
          "jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout", "100ms");

  @Test
  void anAdaptiveSchedulerChangesTheParallelismUnderTheSameJobId() {
    changesTheParallelism(FlinkVersion.V2_2);
  }

  @Test
  @Tag("slow")
  void anAdaptiveSchedulerChangesTheParallelismUnderTheSameJobIdOnFlink120() {
    changesTheParallelism(FlinkVersion.V1_20);
  }

  private static void changesTheParallelism(FlinkVersion version) {
    try (FlinkCluster cluster = FlinkCluster.start(version, ADAPTIVE)) {
      SampleJob job = SampleJob.submit(cluster, null, Map.of("parallelism.default", "1")).running();
      ResourceRequirements before = requirements(job);
      assertThat(before.vertices()).hasSize(2).containsValue(new Bounds(1, 1));

      require(job, up(before, 2));
      require(job, up(before, 2)); // its answer was lost
      runsWith(job, 2);
      require(job, before);
      runsWith(job, 1);

      assertThat(requirements(job)).isEqualTo(before);
      refusals(job, before);
    }
  }

  private static void refusals(SampleJob job, ResourceRequirements before) {
    String unknown = "0123456789abcdef0123456789abcdef";
    Bounds any = new Bounds(1, 1);

    assertThat(failure(() -> send(job, new ResourceRequirements(Map.of(unknown, any)))))
        .isInstanceOf(Rejected.class);
    assertThat(failure(() -> send(job, up(before, 200)))).isInstanceOf(Rejected.class);
    assertThat(requirements(job)).isEqualTo(before);
  }

  @Test
  void theDefaultSchedulerRefusesForGood() {
    refusesForGood(FlinkVersion.V2_2);
  }

  @Test
  @Tag("slow")
  void theDefaultSchedulerRefusesForGoodOnFlink120() {
    refusesForGood(FlinkVersion.V1_20);
  }

  private static void refusesForGood(FlinkVersion version) {
    try (FlinkCluster cluster = FlinkCluster.startJobManagerOnly(version, Map.of())) {
      SampleJob job = SampleJob.submit(cluster);

      assertThat(failure(() -> cluster.rest().requirements(cluster.endpoint(), job.id())))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("does not support changing the parallelism");
    }
  }

  private static ResourceRequirements up(ResourceRequirements before, int parallelism) {
    return new ResourceRequirements(
        before.vertices().keySet().stream()
            .collect(Collectors.toMap(id -> id, id -> new Bounds(1, parallelism))));
  }

  private static void runsWith(SampleJob job, int parallelism) {
    await()
        .until(
            () ->
                job.overview().isUp()
                    && rest(job).vertices(job.cluster().endpoint(), job.id()).values().stream()
                        .allMatch(vertex -> vertex.parallelism() == parallelism));
    assertThat(rest(job).vertices(job.cluster().endpoint(), job.id()).values())
        .allMatch(vertex -> vertex.maxParallelism() == 128);
  }

  private static ResourceRequirements requirements(SampleJob job) {
    return rest(job).requirements(job.cluster().endpoint(), job.id());
  }

  private static void require(SampleJob job, ResourceRequirements wanted) {
    assertThat(send(job, wanted)).isEqualTo(wanted);
  }

  private static ResourceRequirements send(SampleJob job, ResourceRequirements wanted) {
    return rest(job).require(job.cluster().endpoint(), job.id(), wanted);
  }

  private static FlinkRest rest(SampleJob job) {
    return job.cluster().rest();
  }

  private static FlinkRestException failure(ThrowingCallable call) {
    return catchThrowableOfType(FlinkRestException.class, call);
  }
}
