package dev.sluice.activities.cluster;

import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.model.JobsOnCluster;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A session cluster on a real API server, and what is asked before it goes. */
abstract class SessionClusterScenario extends ClusterScenario {

  static final Map<String, String> GRAPHS = Map.of("executionPlan-" + JOB, "a plan of 2.x");
  static final Map<String, String> AVAILABLE =
      Map.of("high-availability.type", "kubernetes", "high-availability.storageDir", "s3://ha");

  final FakeFlink flink = new FakeFlink();

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
    return client
        .resource(
            new DeploymentBuilder(jobManager(JOB, 1))
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
    Pod unused =
        Pods.create(
            client,
            namespace,
            Serialization.unmarshal(
                "ready: false\nrestartCount: 1\nstate: {running: {}}\n"
                    + "lastState: {terminated: {exitCode: 2}}",
                ContainerStatus.class));
  }

  HeldDeletion held() {
    SessionJobsCheck check = check(SessionJobSource.NONE);
    return check.held(check.ask());
  }

  SessionJobsCheck check(SessionJobSource sessionJobs) {
    return new SessionJobsCheck(ref, store, reader, flink, sessionJobs);
  }

  ClusterDeletion deletion(JobsOnCluster jobs, boolean everything) {
    return deletion(jobs, everything, SessionJobSource.NONE);
  }

  ClusterDeletion deletion(JobsOnCluster jobs, boolean everything, SessionJobSource sessionJobs) {
    boolean asks = jobs == JobsOnCluster.NONE || jobs == JobsOnCluster.COME_BACK;
    return new ClusterDeletion(
        new DeleteClusterRequest(
            ref,
            Refs.cluster(ref),
            Set.of(JOB),
            null,
            null,
            null,
            everything,
            null,
            jobs,
            clock.in(Duration.ofMinutes(2))),
        store,
        client,
        access,
        asks ? check(sessionJobs) : null);
  }
}
