package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;

/** A session cluster on a real API server, and what is asked before it goes. */
abstract class SessionClusterScenario {

  static final String CLUSTER_MAP = "orders-cluster-config-map";
  static final Map<String, String> GRAPHS =
      Map.of("executionPlan-" + FakeFlink.JOB, "a plan of 2.x");
  static final Map<String, String> AVAILABLE =
      Map.of("high-availability.type", "kubernetes", "high-availability.storageDir", "s3://ha");

  final TestClock clock = new TestClock();
  final FakeFlink flink = new FakeFlink();
  KubernetesClient client;
  String namespace;
  ResourceRef ref;

  @BeforeEach
  void connect(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  void session(Map<String, String> options) {
    FlinkDeployment resource = Deployed.orders(namespace);
    resource.setSpec(Deployed.SPEC.withJob(null).withConfiguration(FlinkConfiguration.of(options)));
    FlinkDeployment there = client.resource(resource).createOr(it -> it.update());
    String json = new FrozenSpec(resource.getSpec(), 1, false).toJson();
    there.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY.withLastReconciledSpec(json).withLastStableSpec(json)));
    ref = Deployed.ref(client.resource(there).updateStatus());
  }

  /** It was available: its JobManager may have run. */
  Deployment runningCluster() {
    Deployment created =
        client
            .resource(
                new DeploymentBuilder(Clusters.deployment(namespace, ref.uid()))
                    .editMetadata()
                    .addToAnnotations(Annotations.JOB_ID, Refs.JOB_ID)
                    .addToAnnotations(Annotations.GENERATION, "1")
                    .endMetadata()
                    .build())
            .create();
    return client
        .resource(
            new DeploymentBuilder(created)
                .withNewStatus()
                .addNewCondition()
                .withType("Available")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build())
        .updateStatus();
  }

  /** It crashed once, runs, and is not ready. */
  void pod() {
    Pod pod =
        new PodBuilder(Pods.jobManager())
            .editMetadata()
            .withNamespace(namespace)
            .editFirstOwnerReference()
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withStatus(null)
            .withNewSpec()
            .addNewContainer()
            .withName("flink-main-container")
            .withImage("flink:2.2")
            .endContainer()
            .endSpec()
            .build();
    Pod created = client.resource(pod).create();
    client
        .resource(
            new PodBuilder(created)
                .withNewStatus()
                .withPhase("Running")
                .addNewContainerStatus()
                .withName("flink-main-container")
                .withImage("flink:2.2")
                .withImageID("flink")
                .withReady(false)
                .withRestartCount(1)
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .withNewLastState()
                .withNewTerminated()
                .withExitCode(2)
                .endTerminated()
                .endLastState()
                .endContainerStatus()
                .endStatus()
                .build())
        .updateStatus();
  }

  void metadata() {
    client
        .resource(
            new ConfigMapBuilder(Clusters.configMap(namespace, CLUSTER_MAP, null))
                .withData(GRAPHS)
                .build())
        .create();
  }

  ConfigMap configMap() {
    return client.configMaps().inNamespace(namespace).withName(CLUSTER_MAP).get();
  }

  HeldDeletion held() {
    SessionJobsCheck check = check(SessionJobSource.NONE);
    return check.held(check.ask(check.endpoint()));
  }

  SessionJobsCheck check(SessionJobSource sessionJobs) {
    return new SessionJobsCheck(
        ref, new FlinkDeploymentStore(client), new ClusterReader(client), flink, sessionJobs);
  }

  ClusterDeletion deletion(JobsOnCluster jobs, boolean everything) {
    return deletion(jobs, everything, SessionJobSource.NONE);
  }

  ClusterDeletion deletion(JobsOnCluster jobs, boolean everything, SessionJobSource sessionJobs) {
    ClusterReader reader = new ClusterReader(client);
    boolean asks = jobs == JobsOnCluster.NONE || jobs == JobsOnCluster.COME_BACK;
    ClusterDeletion deletion =
        new ClusterDeletion(
            new DeleteClusterRequest(
                ref,
                Refs.cluster(ref),
                Set.of(Refs.JOB_ID),
                null,
                null,
                null,
                everything,
                null,
                jobs,
                clock.in(Duration.ofMinutes(2))),
            new FlinkDeploymentStore(client),
            client,
            new ClusterAccess(reader, new FakeView(), clock),
            asks ? check(sessionJobs) : null);
    deletion.begin();
    return deletion;
  }

  static String type(ProbeResult<Void> result) {
    return result instanceof ProbeResult.Failed<Void> failed ? failed.type() : result.toString();
  }
}
