package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.DefaultConfigurationFile;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What changes while the job goes on, and what a change of the operator's defaults does. */
@Tag("e2e")
@OnTestCluster
class InPlaceIT {

  @Test
  void ingressAndAnnotationsOfServicesAreMadeChangedAndRemovedWhileTheJobGoesOn(Scene scene) {
    // given
    Job job = scene.deployed("in-place");
    Manifest plain = job.applied();
    String run = job.lane().newestRun();
    List<String> jobs = job.flink().jobs();

    // when
    job.deploy(plain.ingress("{{name}}.example.com"));
    awaitHosts(scene, job, job.name() + ".example.com");
    job.deploy(
        plain
            .ingress("other.example.com")
            .config("kubernetes.rest-service.annotations", "e2e.sluice.dev/team:a"));
    awaitHosts(scene, job, "other.example.com");
    awaitTeam(scene, job, "a");
    job.deploy(plain);
    awaitHosts(scene, job, "");
    awaitTeam(scene, job, "");

    // then
    assertThat(job.flink().jobs()).isEqualTo(jobs);
    assertThat(job.lane().newestRun()).isEqualTo(run);
  }

  @Test
  void aDefaultReachesAJobWhenItIsRestartedAndNotBefore(Scene scene) throws IOException {
    // given
    Job job = scene.deployed("defaults");
    Manifest plain = job.applied();
    String run = job.lane().newestRun();
    List<String> jobs = job.flink().jobs();
    try (DefaultConfigurationFile defaults = DefaultConfigurationFile.of(scene.cluster())) {

      // when
      defaults.add(
          "kubernetes.operator.default-configuration.namespace."
              + job.namespace()
              + ".e2e.default: \"1\"");
      job.deploy(plain.ingress("{{name}}.example.com"));

      // then
      assertThat(job.flink().jobs()).isEqualTo(jobs);
      assertThat(job.lane().newestRun()).isEqualTo(run);
      assertThat(job.flink().configuration("e2e.default")).isEmpty();

      // when
      job.deploy(plain.restartNonce(7));

      // then
      assertThat(job.flink().configuration("e2e.default")).isEqualTo("1");
      assertThat(job.get().status("/reconciliationStatus/lastStableSpec"))
          .contains("\"defaultConfiguration\":{\"e2e.default\":\"1\"}");
    }
  }

  private static void awaitHosts(Scene scene, Job job, String hosts) {
    awaitFound(scene, job, "ingress", job.name(), ".spec.rules[*].host", hosts);
  }

  private static void awaitTeam(Scene scene, Job job, String team) {
    String path = ".metadata.annotations.e2e\\.sluice\\.dev/team";
    awaitFound(scene, job, "service", job.name() + "-rest", path, team);
  }

  private static void awaitFound(
      Scene scene, Job job, String kind, String name, String path, String value) {
    String query = "jsonpath={.items[?(@.metadata.name==\"" + name + "\")]" + path + "}";
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(
            () ->
                scene
                    .cluster()
                    .kubectl()
                    .run("get", kind, "-n", job.namespace(), "-o", query)
                    .trim()
                    .equals(value));
  }
}
