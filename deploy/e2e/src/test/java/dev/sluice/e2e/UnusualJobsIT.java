package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Jobs that are not one endless source: they deploy, upgrade, abort, retry and are deleted alike.
 */
@Tag("e2e")
@OnTestCluster
class UnusualJobsIT {

  /** No savepoint is possible any more: the old job runs on, and a person decides. */
  @Test
  void aJobThatCannotTakeASavepointRunsOnUntilItsStateIsGivenUp(Scene scene) throws Exception {
    Job job = scene.job("blockedsource");
    Manifest first =
        job.manifest()
            .plusArgs("--bounded-source", "0")
            .config("execution.checkpointing.checkpoints-after-tasks-finish", "false");
    job.deploy(first);

    job.apply(first.parallelism(2));
    Resource parked = job.await("parked", Resource::isStalled);
    assertThat(parked.status("/operation/reason")).isEqualTo("SavepointFailed");
    assertThat(parked.status("/jobStatus/state")).isEqualTo("RUNNING");
    assertThat(job.lane().details()).contains("is RUNNING");

    job.request("sluice.dev/abort", "abort");
    job.await("aborted", it -> it.status("/operation/state").equals("Aborted"));
    assertThat(job.flink().jobs()).hasSize(1);

    Resource stateless = job.deploy(first.parallelism(2).upgradeMode("stateless"));
    assertThat(stateless.operation()).isEqualTo("Upgrade Succeeded MarkStable");
  }

  /** FLINK-37370: a finished job without checkpoints is FINISHED in the status, too. */
  @Test
  void aBatchJobIsReadyWhileItsStagesFollowEachOtherAndStaysFinished(Scene scene) {
    Job job = scene.job("batch");
    Manifest batch =
        job.manifest()
            .args("--batch", "true", "--batch-elements", "400", "--batch-delay", "20")
            .upgradeMode("stateless")
            .config("high-availability.type", "none");
    job.deploy(batch);

    Resource again = job.deploy(batch.args("--batch", "true", "--batch-elements", "150"));
    assertThat(again.operation()).isEqualTo("Upgrade Succeeded MarkStable");

    Resource finished =
        job.await(
            "finished for good",
            it ->
                it.status("/jobStatus/state").equals("FINISHED")
                    && it.status("/jobManagerDeploymentStatus").equals("MISSING"));
    assertThat(finished.status("/lifecycleState")).isEqualTo("STABLE");
    await("nothing can run it again").until(() -> job.flink().pods().isEmpty());
  }

  /**
   * As it was written for Apache's operator; {@code EveryFieldTest} says that no field is missing.
   */
  @Test
  void aManifestWithEveryFieldOfApachesIsDeployedUnchanged(Scene scene) throws IOException {
    // given
    Job another = scene.deployed("another");
    Resource suspended = another.deploy(another.applied().jobState("suspended"));
    Job job = scene.job("every-field");
    Path savepoint = job.state().resolve("savepoints/savepoint-of-another");
    Files.createDirectories(savepoint.getParent());
    Files.move(Path.of(URI.create(suspended.status("/recordedState/path"))), savepoint);

    // when
    Resource deployed = job.deploy(job.valid("every-field.yaml"));

    // then
    assertThat(deployed.message("Ready").replaceFirst(".*\\(ignored: ", "").split("; "))
        .as("fields without effect")
        .allMatch(ignored -> ignored.matches("spec\\.job\\.\\w+Nonce: .*"));
    assertThat(job.flink().restored()).endsWith("/savepoint-of-another");
    assertThat(job.counts().exact()).isTrue();
    assertThat(job.flink().pods())
        .extracting(
            pod -> pod.getMetadata().getLabels().get("component"),
            pod -> pod.getMetadata().getLabels().get("cost-centre"),
            pod -> pod.getMetadata().getAnnotations().get("example.com/scrape"))
        .containsExactlyInAnyOrder(
            tuple("jobmanager", "42", "jobmanager"),
            tuple("jobmanager", "42", "jobmanager"),
            tuple("taskmanager", "42", "taskmanager"));
    assertThat(scene.cluster().kubectl().run("get", "ingress", "-n", job.namespace()))
        .contains("every-field." + job.namespace() + ".flink.example.com");
    String manager = job.flink().jobManager().orElseThrow().getMetadata().getName();
    assertThat(scene.cluster().kubectl().run("logs", "-n", job.namespace(), manager, "--tail=5"))
        .contains("every-field ");
  }
}
