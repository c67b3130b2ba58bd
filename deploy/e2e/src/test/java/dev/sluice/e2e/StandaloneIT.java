package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.Kubectl;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SessionJob;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A cluster whose TaskManagers are a Deployment: the same operations as in native mode, and in
 * reactive mode, and of a session cluster, another number of TaskManagers without one.
 */
@Tag("e2e")
@OnTestCluster
class StandaloneIT {

  private static final String CANCELS =
      "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled";

  @Test
  void aJobIsDeployedUpgradedScaledRecoveredAndDeleted(Scene scene) {
    Job job = scene.job("standalone");
    Manifest first =
        job.manifest("standalone.yaml")
            .config("taskmanager.numberOfTaskSlots", "1")
            .args("--rate", "25", "--keys", "10", "--splits", "4");
    job.deploy(first);
    assertThat(taskManagers(scene, job).getSpec().getReplicas()).isEqualTo(1);
    assertThat(job.counts().restored()).as("restored by the first").isZero();

    Manifest reactive = reactive(first.config("e2e.round", "2"));
    upgradesBySavepoint(scene, job, reactive);
    isScaled(scene, job);
    goesOnFromItsMetadata(scene, job, reactive.upgradeMode("last-state").config(CANCELS, "false"));
    getsItsTaskManagersBack(scene, job);
    isGone(scene, job);
  }

  @Test
  void aSessionClusterIsScaledAndUpgradedAndItsJobGoesOn(Scene scene) throws Exception {
    Job session = SessionJob.cluster(scene, "standalone-session", "flink:2.2");
    SessionJob clicks = new SessionJob(scene.cluster(), session, "clicks");
    Manifest first = session.manifest("standalone-session.yaml");
    clicks.apply(clicks.manifest());
    session.deploy(first);
    clicks.await("ready", Resource::isReady);
    String jobId = clicks.jobId();
    String run = session.lane().newestRun();

    // when it is scaled
    scene
        .cluster()
        .kubectl()
        .run("scale", "-n", session.namespace(), "flinkdep", session.name(), "--replicas=2");

    // then no operation begins, and the job goes on
    session.await("scaled", it -> it.isReady() && it.status("/taskManager/replicas").equals("2"));
    await("a second TaskManager")
        .untilAsserted(() -> assertThat(session.flink().taskManagers()).isEqualTo(2));
    assertThat(session.lane().newestRun()).as("no operation").isEqualTo(run);
    clicks.verifyUntouched(jobId);

    // when its TaskManagers are lost
    Counts before = clicks.counts();
    clicks.awaitCheckpoint();
    client(scene, session).delete();

    // then its status says so
    session.await("without TaskManagers", it -> !it.isReady());

    // when it is upgraded, as the status says
    session.deploy(first.taskManagers(2).config("e2e.round", "2"));

    // then the job was suspended first, and is back
    clicks.await("back", it -> it.isReady() && !it.status("/submission/jobId").equals(jobId));
    assertThat(session.flink().configuration("e2e.round")).isEqualTo("2");
    assertThat(clicks.counts().problemSince(before)).isEmpty();

    clicks.delete();
    isGone(scene, session);
  }

  private static Manifest reactive(Manifest manifest) {
    return manifest
        .taskManagers(1)
        .config("scheduler-mode", "reactive")
        .config("jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "1 s")
        .config("jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout", "1 s");
  }

  private static void upgradesBySavepoint(Scene scene, Job job, Manifest second) {
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Resource upgraded = job.deploy(second);

      upgrade.verifyUpgraded(upgraded);
      assertThat(job.flink().configuration("e2e.round")).isEqualTo("2");
    }
  }

  private static void isScaled(Scene scene, Job job) {
    Kubectl kubectl = scene.cluster().kubectl();
    scalesTo(
        2,
        scene,
        job,
        () -> kubectl.run("scale", "-n", job.namespace(), "flinkdep", job.name(), "--replicas=2"));
    scalesTo(1, scene, job, () -> kubectl.apply(atMostOne(job)));
    kubectl.run("delete", "-n", job.namespace(), "hpa", job.name());
  }

  private static void scalesTo(int taskManagers, Scene scene, Job job, Runnable cause) {
    String run = job.lane().newestRun();
    List<String> jobs = job.flink().jobs();
    try (ExactUpgrade same = ExactUpgrade.begin(scene.cluster(), job)) {
      cause.run();

      job.await(
          "at parallelism " + taskManagers,
          it ->
              it.status("/taskManager/replicas").equals(Integer.toString(taskManagers))
                  && it.isReady()
                  && job.flink().parallelism() == taskManagers);
      assertThat(taskManagers(scene, job).getSpec().getReplicas()).isEqualTo(taskManagers);
      assertThat(same.goesOn().exact()).as("no element lost or doubled").isTrue();
      assertThat(job.flink().jobs()).as("the same job").isEqualTo(jobs);
      assertThat(job.lane().newestRun()).as("no operation").isEqualTo(run);
      same.verifySavepoints(0);
      same.verifyOneCluster(1);
    }
  }

  /** What is outside of its bounds it scales whatever it measures. */
  private static String atMostOne(Job job) {
    return """
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata: {name: %2$s, namespace: %1$s}
        spec:
          scaleTargetRef: {apiVersion: flink.apache.org/v1beta1, kind: FlinkDeployment, name: %2$s}
          minReplicas: 1
          maxReplicas: 1
        """
        .formatted(job.namespace(), job.name());
  }

  private static void goesOnFromItsMetadata(Scene scene, Job job, Manifest lastState) {
    Resource running = job.deploy(lastState);
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    String jobId = running.status("/jobStatus/jobId");
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Resource upgraded = job.deploy(lastState.config("e2e.round", "3"));

      assertThat(upgraded.status("/recordedState/type")).isEqualTo("HaMetadata");
      assertThat(upgraded.status("/jobStatus/jobId")).as("the same job").isEqualTo(jobId);
      assertThat(job.flink().configuration("e2e.round")).isEqualTo("3");
      assertThat(job.flink().restored()).contains("/" + jobId + "/chk-");
      assertThat(upgrade.goesOn().exact()).as("no element lost or doubled").isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(2);
    }
  }

  private static void getsItsTaskManagersBack(Scene scene, Job job) {
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    Deployment before = taskManagers(scene, job);
    client(scene, job).delete();

    job.await("recovered", it -> it.operation().equals("Recover Succeeded MarkStable"));

    assertThat(taskManagers(scene, job).getMetadata().getUid())
        .isNotEqualTo(before.getMetadata().getUid());
    assertThat(job.flink().restored()).isNotEmpty();
    assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();
  }

  private static void isGone(Scene scene, Job job) {
    Lane lane = job.lane();
    scene
        .cluster()
        .kubectl()
        .run("delete", "-n", job.namespace(), "flinkdep", job.name(), "--timeout=180s");

    await().untilAsserted(() -> assertThat(job.flink().objects()).isEmpty());
    lane.awaitCompleted();
  }

  private static Deployment taskManagers(Scene scene, Job job) {
    return Objects.requireNonNull(
        client(scene, job).get(), "there is no Deployment of TaskManagers");
  }

  private static RollableScalableResource<Deployment> client(Scene scene, Job job) {
    return scene
        .cluster()
        .kubernetes()
        .apps()
        .deployments()
        .inNamespace(job.namespace())
        .withName(job.name() + "-taskmanager");
  }
}
