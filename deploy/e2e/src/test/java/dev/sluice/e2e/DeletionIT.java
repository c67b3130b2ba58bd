package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.local.demo.Counts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("e2e")
@OnTestCluster
class DeletionIT {

  /** Another test may kill the worker three times meanwhile, which costs up to 30 s each time. */
  private static final String WAIT = "--timeout=180s";

  @Test
  void nothingIsLeftAndTheNameIsFreeAtOnce(Scene scene) {
    Job job = scene.deployed("again");
    String first = job.get().uid();
    Lane lane = job.lane();

    // when
    delete(scene, job, WAIT);

    // then
    nothingIsLeft(job, lane);
    job.deploy(job.manifest());
    assertThat(job.get().uid()).isNotEqualTo(first);
    assertThat(job.counts().restored()).as("restored by the new one").isZero();
  }

  @Test
  void theStateIsKeptWhereTheSpecAsksForIt(Scene scene) {
    // given
    Job job = scene.deployed("kept");
    Manifest manifest =
        job.applied().config("kubernetes.operator.job.savepoint-on-deletion", "true");
    job.deploy(manifest);
    Counts before = job.counts();
    List<Path> savepoints = job.savepoints();

    // when
    delete(scene, job, WAIT);

    // then
    List<Path> taken = new ArrayList<>(job.savepoints());
    taken.removeAll(savepoints);
    assertThat(taken).hasSize(1);
    SnapshotOfJob left = SnapshotOfJob.ofOperation(scene.cluster(), job, taken.get(0));
    left.await("COMPLETED");

    // and when the first start is corrected
    job.apply(manifest.initialSavepoint(taken.get(0).resolveSibling("mistyped")));
    // its job fails at once: the operation may be parked before anybody looks
    job.await("begun", it -> it.operation().matches("Deploy \\w+ AwaitRunning"));
    job.annotate("sluice.dev/abort", "there is no such savepoint");
    job.await("aborted", it -> it.operation().startsWith("Deploy Aborted"));
    job.deploy(manifest.initialSnapshot(job.namespace(), left.name()));

    // then
    assertThat(job.counts().restored()).isGreaterThanOrEqualTo(before.total());
    assertThat(job.counts().exact()).isTrue();
  }

  /** Its deployments, rights, configuration and pods go at once, in any order (FLINK-31860). */
  @Test
  void aNamespaceGoesWithTheJobThatRunsInItAndWithASnapshot(Scene scene) {
    // given
    Job job = scene.job("inside");
    job.deploy(job.manifest());
    Lane lane = job.lane();
    SnapshotOfJob snapshot =
        new SnapshotOfJob(scene.cluster(), job, "disposed").apply("savepoint: {}");
    snapshot.await("COMPLETED");
    Lane ofSnapshot = snapshot.lane();

    // when
    scene.cluster().kubectl().run("delete", "namespace", job.namespace(), WAIT);

    // then
    assertThat(scene.cluster().kubernetes().namespaces().withName(job.namespace()).get()).isNull();
    nothingIsLeft(job, lane);
    ofSnapshot.awaitCompleted();
    assertThat(ofSnapshot.newestOperation()).isEqualTo("Delete");
  }

  private static void delete(Scene scene, Job job, String option) {
    scene.cluster().kubectl().run("delete", "-n", job.namespace(), "flinkdep", job.name(), option);
  }

  private static void nothingIsLeft(Job job, Lane lane) {
    // what Deployments own is collected by Kubernetes, after them
    await().untilAsserted(() -> assertThat(job.flink().objects()).isEmpty());
    lane.awaitCompleted();
    assertThat(lane.newestOperation()).isEqualTo("Delete");
  }
}
