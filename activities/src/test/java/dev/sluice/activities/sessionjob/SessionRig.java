package dev.sluice.activities.sessionjob;

import static org.awaitility.Awaitility.await;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.Clusters;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.support.Created;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeJars;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** FlinkSessionJobs on the session cluster {@code orders}, on a real API server. */
final class SessionRig {

  static final String CLUSTER_ID = "c1";

  /** Of the pod of {@link #jobManager}. */
  static final String PROCESS = "containerd://first";

  final KubernetesClient client;
  final String namespace;
  final TestClock clock = new TestClock();
  final FakeFlink flink = new FakeFlink();
  final FakeJars jars = new FakeJars(flink);
  final ClusterRef cluster;

  SessionRig(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    cluster = new ClusterRef(namespace, "orders");
  }

  private static FlinkSessionJobStore store(KubernetesClient client) {
    return new FlinkSessionJobStore(client, new FlinkDeploymentStore(client), StableAfter.NONE);
  }

  SubmissionWriter writer() {
    return writer(client);
  }

  SubmissionWriter writer(KubernetesClient as) {
    return new SubmissionWriter(as, store(as), clock);
  }

  SessionClusters clusters() {
    return clusters(client, flink);
  }

  SessionClusters clusters(FlinkRest asked) {
    return clusters(client, asked);
  }

  SessionClusters clusters(KubernetesClient as) {
    return clusters(as, flink);
  }

  private SessionClusters clusters(KubernetesClient as, FlinkRest asked) {
    ClusterReader reader = new ClusterReader(as);
    return new SessionClusters(
        store(as), reader, new ClusterAccess(reader, new FakeView(), clock), asked, jars);
  }

  /** The FlinkDeployment is deployed and its JobManager is there. */
  SessionRig session(Map<String, String> configuration) {
    FlinkDeployment created = deployment(configuration);
    Deployment unused =
        client
            .resource(
                new DeploymentBuilder(
                        Clusters.deployment(namespace, created.getMetadata().getUid()))
                    .editMetadata()
                    .addToAnnotations(Annotations.JOB_ID, CLUSTER_ID)
                    .addToAnnotations(Annotations.GENERATION, "1")
                    .endMetadata()
                    .build())
            .create();
    return this;
  }

  FlinkDeployment deployment(Map<String, String> configuration) {
    return Created.in(client, namespace, SessionJobs.cluster(configuration));
  }

  FlinkDeployment host() {
    return client.resources(FlinkDeployment.class).inNamespace(namespace).withName("orders").get();
  }

  boolean hasNoHost() {
    return client
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .list()
        .getItems()
        .isEmpty();
  }

  void host(ReconciliationState state) {
    FlinkDeployment host = host();
    host.setStatus(
        host.getStatus()
            .withReconciliationStatus(
                Objects.requireNonNull(host.getStatus().reconciliationStatus()).withState(state)));
    FlinkDeployment unused = client.resource(host).updateStatus();
  }

  void deleteDeployment() {
    client.apps().deployments().inNamespace(namespace).withName("orders").delete();
  }

  void deleteHost() {
    client.resource(host()).delete();
  }

  /** The pod of the JobManager, with a container of this id. */
  void jobManager(String container) {
    Pod unused =
        Pods.create(
            client,
            namespace,
            new ContainerStatusBuilder()
                .withContainerID(container)
                .withReady(true)
                .withRestartCount(0)
                .build());
  }

  /** High-availability metadata of the job. */
  void metadata() {
    metadata("counter");
  }

  /** That of a job that has completed a checkpoint. */
  void checkpointMetadata() {
    metadata("checkpointID-0000000000000000001");
  }

  private void metadata(String key) {
    ConfigMap unused =
        client
            .resource(
                new ConfigMapBuilder(
                        Clusters.configMap(
                            namespace, "orders-" + Refs.JOB_ID + "-config-map", null))
                    .withData(Map.of(key, "1"))
                    .build())
            .create();
  }

  /** {@link SessionJobs#totals}, whose operation is begun and is to start a job. */
  ResourceRef job() {
    return job("totals", Refs.JOB_ID, Function.identity());
  }

  ResourceRef job(
      String name, String jobId, Function<FlinkSessionJobSpec, FlinkSessionJobSpec> change) {
    FlinkSessionJob job = SessionJobs.totals();
    job.setSpec(change.apply(job.getSpec()));
    SessionJobs.frozen(job, ReconciliationState.UPGRADING);
    job.setStatus(
        job.getStatus()
            .withRecordedState(
                new RecordedState(RecordedState.Type.SAVEPOINT, "file:/s", null, "before", jobId)));
    job.getMetadata().setName(name);
    return Refs.of(Created.in(client, namespace, job));
  }

  /** A job whose status has its id, and no submission. */
  ResourceRef deployedByApache(String name, String jobId) {
    ResourceRef ref = job(name, Refs.OTHER_JOB_ID, Function.identity());
    FlinkSessionJob job = read(ref);
    job.setStatus(
        job.getStatus()
            .withJobStatus(JobStatus.EMPTY.withJobId(jobId).withState(FlinkJobState.RUNNING)));
    FlinkSessionJob unused = client.resource(job).updateStatus();
    return ref;
  }

  /** Flink was asked to run it, on the cluster and the process that are there. */
  void submitted(ResourceRef ref, String jobId, @Nullable Boolean removed) {
    submitted(ref, new Submission(jobId, 1L, CLUSTER_ID, PROCESS, removed, null));
  }

  /** The run was sent to that cluster, and that process, just now. */
  void sent(ResourceRef ref, String jobId) {
    sentTo(ref, jobId, PROCESS);
  }

  /** The run was sent to those processes; null when that is not known. */
  void sentTo(ResourceRef ref, String jobId, @Nullable String jobManagers) {
    submitted(
        ref, new Submission(jobId, 1L, CLUSTER_ID, jobManagers, false, clock.instant().toString()));
  }

  private void submitted(ResourceRef ref, Submission submission) {
    FlinkSessionJob job = read(ref);
    job.setStatus(job.getStatus().withSubmission(submission));
    FlinkSessionJob unused = client.resource(job).updateStatus();
  }

  FlinkSessionJob read(ResourceRef ref) {
    return client
        .resources(FlinkSessionJob.class)
        .inNamespace(namespace)
        .withName(ref.name())
        .get();
  }

  @Nullable Submission submission(ResourceRef ref) {
    return read(ref).getStatus().submission();
  }

  boolean isRemoved(ResourceRef ref) {
    Submission there = submission(ref);
    return there != null && Boolean.TRUE.equals(there.removed());
  }

  JobRef job(String jobId) {
    return new JobRef(cluster, jobId);
  }

  /** Looks as often as a wait would, until a look decides. */
  static ProbeResult<Void> decided(Function<ActGuard, ProbeResult<Void>> wait, ActGuard guard) {
    return await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> Looks.at(() -> wait.apply(guard)), seen -> !(seen instanceof ProbeResult.NotYet));
  }

  static ProbeResult<Void> decided(Function<ActGuard, ProbeResult<Void>> wait) {
    return decided(wait, () -> true);
  }
}
