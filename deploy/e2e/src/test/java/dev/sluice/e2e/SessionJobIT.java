package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.Kubectl;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.JarServer;
import dev.sluice.e2e.job.JarServer.Answer;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SessionJob;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.local.demo.Counts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Several FlinkSessionJobs on one session cluster. */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
class SessionJobIT {

  /** With the default of 1 Flink deletes the checkpoint of a snapshot with the next one. */
  private static final String CHECKPOINTS_KEPT = "execution.checkpointing.num-retained";

  @Test
  void eachJobLivesByItselfOnTheSessionClusterThatTheyShare(Scene scene) throws Exception {
    Job session = SessionJob.cluster(scene, "session", "flink:2.2");
    SessionJob clicks = new SessionJob(scene.cluster(), session, "clicks");
    SessionJob views = new SessionJob(scene.cluster(), session, "views");
    SessionJob carts = new SessionJob(scene.cluster(), session, "carts");
    Manifest clicked = clicks.example();

    // given: a job names a cluster that is not there yet
    clicks.apply(clicked);
    clicks.await(
        "waiting for it", it -> it.status("/operation/message").contains("does not exist"));

    // when the cluster and more jobs come in one file, jobs first, then all run
    Manifest cluster =
        session
            .manifest("session.yaml")
            .config("taskmanager.numberOfTaskSlots", "4")
            .config("execution.checkpointing.interval", "2s");
    Manifest viewed = views.example();
    Manifest carted = carts.manifest().upgradeMode("stateless");
    Kubectl kubectl = scene.cluster().kubectl();
    kubectl.apply(viewed.text() + carted.text() + cluster.text());
    Resource deployed = clicks.await("ready", Resource::isReady);
    views.await("ready", Resource::isReady);
    carts.await("ready", Resource::isReady);
    assertThat(deployed.operation()).isEqualTo("Deploy Succeeded MarkStable");
    String ofViews = views.jobId();
    String ofCarts = carts.jobId();

    // when one is upgraded by a savepoint
    Counts before = clicks.counts();
    Resource upgraded = clicks.deploy(clicked.parallelism(2));

    // then it goes on, and the other two run untouched
    assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(upgraded.status("/recordedState/type")).isEqualTo("Savepoint");
    assertThat(clicks.counts().problemSince(before)).isEmpty();
    views.verifyUntouched(ofViews);
    carts.verifyUntouched(ofCarts);

    // when it is suspended and resumed
    Counts running = clicks.counts();
    clicks.apply(clicked.parallelism(2).jobState("suspended"));
    clicks.await("suspended", it -> it.status("/lifecycleState").equals("SUSPENDED"));
    assertThat(session.flink().jobs().stream().filter(it -> it.endsWith("RUNNING")))
        .containsExactlyInAnyOrder(ofViews + " RUNNING", ofCarts + " RUNNING");
    clicks.deploy(clicked.parallelism(2));

    // then it goes on
    assertThat(clicks.counts().problemSince(running)).isEmpty();

    // when the session cluster is upgraded
    List<SessionJob> jobs = List.of(clicks, views, carts);
    List<String> old = jobs.stream().map(SessionJob::jobId).toList();
    Counts viewedBefore = views.counts();
    views.awaitCheckpoint();
    Counts clickedBefore = clicks.counts();
    session.deploy(cluster.config("e2e.session", "2"));

    // then each was suspended by its own upgrade mode first, also with high availability
    for (int i = 0; i < jobs.size(); i++) {
      String jobBefore = old.get(i);
      jobs.get(i)
          .await("back", it -> it.isReady() && !it.status("/submission/jobId").equals(jobBefore));
    }
    assertThat(clicks.get().status("/recordedState/type")).isEqualTo("Savepoint");
    assertThat(clicks.counts().problemSince(clickedBefore)).isEmpty();
    assertThat(views.get().status("/recordedState/type")).isEqualTo("Checkpoint");
    assertThat(views.counts().problemSince(viewedBefore)).isEmpty();
    assertThat(carts.counts().restored()).isZero();

    // when its JobManager is lost
    List<Lasting> again = jobs.stream().map(it -> Lasting.of(session, it)).toList();
    kubectl.run("delete", "-n", session.namespace(), "deployment", session.name());
    session.await("recovered", it -> it.operation().equals("Recover Succeeded MarkStable"));

    // then all are back under their ids, without an operation of their own
    again.forEach(Lasting::awaitBack);
    assertThat(jobs)
        .extracting(it -> it.get().operation())
        .containsOnly("Upgrade Succeeded MarkStable");

    // when one is deleted, the others run
    clicks.delete();
    assertThat(session.flink().jobs())
        .contains(views.jobId() + " RUNNING", carts.jobId() + " RUNNING");

    // when the file of the cluster and its jobs is deleted, all of it goes
    kubectl.delete(cluster.text() + viewed.text() + carted.text());
    await().untilAsserted(() -> assertThat(session.flink().objects()).isEmpty());
  }

  @Test
  void aWorkerThatIsKilledWhileAJobIsStartedLeavesOneJob(Scene scene) throws Exception {
    Job session = SessionJob.cluster(scene, "queries", "flink:2.2");
    session.deploy(session.manifest("session.yaml"));
    SessionJob clicks = new SessionJob(scene.cluster(), session, "clicks");

    try (JarServer jars = new JarServer(SessionJob.jar(session)).answering(Answer.HALF)) {
      // given: it has half of the jar
      clicks.apply(clicks.manifest().jar(jars.uri()));
      await().until(jars::hasSentHalf);

      // when
      scene.cluster().kill("worker");

      // then the next one fetches the jar, uploads it and runs it
      Resource ready = clicks.await("ready", Resource::isReady);
      assertThat(ready.operation()).isEqualTo("Deploy Succeeded MarkStable");
      assertThat(jars.asked()).isGreaterThan(1);
    }
    assertThat(session.flink().jobs()).containsExactly(clicks.jobId() + " RUNNING");
    assertThat(clicks.counts().exact()).isTrue();
    clicks.delete();
  }

  @Test
  void snapshotsAreTakenOfOneJobOfTheSessionClusterAndDisposedOf(Scene scene) throws Exception {
    // given
    Job session = SessionJob.cluster(scene, "queries", "flink:2.2");
    session.deploy(session.manifest("session.yaml").config(CHECKPOINTS_KEPT, "100"));
    SessionJob clicks = new SessionJob(scene.cluster(), session, "clicks");
    clicks.deploy(clicks.manifest());

    // when
    SnapshotOfJob kept = new SnapshotOfJob(scene.cluster(), clicks, "kept").apply("savepoint: {}");
    SnapshotOfJob now = new SnapshotOfJob(scene.cluster(), clicks, "now").apply("checkpoint: {}");
    clicks.apply(clicks.manifest().savepointNonce(1));

    // then
    assertThat(kept.await("COMPLETED").status("/jobId")).isEqualTo(clicks.jobId());
    assertThat(kept.isOnDisk()).isTrue();
    now.await("COMPLETED");
    assertThat(now.isOnDisk()).isTrue();
    Resource asked =
        clicks.await("asked", it -> !it.status("/snapshotTriggers/savepoint/snapshot").isEmpty());
    SnapshotOfJob byHand =
        new SnapshotOfJob(
            scene.cluster(), clicks, asked.status("/snapshotTriggers/savepoint/snapshot"));
    byHand.await("COMPLETED");
    assertThat(byHand.isOnDisk()).isTrue();
    assertThat(clicks.counts().exact()).isTrue();

    // when
    Path files = kept.path();
    kept.delete();

    // then the session cluster has deleted its files, and no others
    assertThat(files).doesNotExist();
    assertThat(byHand.isOnDisk()).isTrue();

    // when the job is deleted, and another one starts where it was
    SessionJob again = new SessionJob(scene.cluster(), session, "again");
    clicks.delete();
    again.deploy(again.manifest().initialSnapshot(session.namespace(), byHand.name()));

    // then
    assertThat(again.counts().restored()).isPositive();

    again.delete();
  }

  /** A job that comes back by itself, under its id, with all that a checkpoint has. */
  private record Lasting(Job session, SessionJob job, String jobId, Counts counted) {

    static Lasting of(Job session, SessionJob job) {
      Counts counted = job.counts();
      job.awaitCheckpoint();
      return new Lasting(session, job, job.jobId(), counted);
    }

    void awaitBack() {
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(session.flink().jobs()).contains(jobId + " RUNNING"));
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(job.counts().problemSince(counted)).isEmpty());
      assertThat(job.jobId()).isEqualTo(jobId);
    }
  }
}
