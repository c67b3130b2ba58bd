package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A FlinkDeployment {@code orders} on a real API server, and its cluster. */
@ExtendWith(ApiServer.Extension.class)
abstract class ClusterScenario {

  static final String JOB = Refs.JOB_ID;
  static final String OTHER_JOB = Refs.OTHER_JOB_ID;
  static final String CLUSTER_MAP = "orders-cluster-config-map";

  final TestClock clock = new TestClock();
  KubernetesClient client;
  String namespace;
  ResourceRef ref;
  FlinkDeploymentStore store;
  ClusterReader reader;

  /** Without a cache the API server is asked. */
  ClusterAccess access;

  @BeforeEach
  void connect(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    ref = Deployed.ref(client.resource(Deployed.orders(namespace)).create());
    store = new FlinkDeploymentStore(client);
    reader = new ClusterReader(client);
    access = new ClusterAccess(reader, new FakeView(), clock);
  }

  void status(FlinkDeploymentStatus status) {
    FlinkDeployment resource = client.resource(Deployed.orders(namespace)).get();
    resource.setStatus(status);
    client.resource(resource).subresource("status").update();
  }

  static FlinkDeploymentStatus frozen(FlinkDeploymentSpec spec) {
    return FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
        ReconciliationStatus.EMPTY
            .withLastReconciledSpec(new FrozenSpec(spec, 1, true).toJson())
            .withState(ReconciliationState.UPGRADING));
  }

  void createCluster() {
    create(new CreateClusterRequest(ref, Refs.job(ref, JOB), 1, new StateRef.Empty("a test")));
  }

  void create(CreateClusterRequest request) {
    new ClusterCreation(store, reader, new ManifestApply(client), EffectWindow.open(clock))
        .create(request);
  }

  /** The JobManager Deployment of a cluster that is ours. */
  Deployment jobManager(String jobId, long generation) {
    return client
        .resource(
            new DeploymentBuilder(Clusters.deployment(namespace, ref.uid()))
                .editMetadata()
                .addToAnnotations(Annotations.JOB_ID, jobId)
                .addToAnnotations(Annotations.GENERATION, Long.toString(generation))
                .endMetadata()
                .build())
        .create();
  }

  Deployment deployment(String name) {
    return client.apps().deployments().inNamespace(namespace).withName(name).get();
  }

  void configMap(String name, Map<String, String> data) {
    client
        .resource(
            new ConfigMapBuilder(Clusters.configMap(namespace, name, null)).withData(data).build())
        .create();
  }

  static String metadataOf(String jobId) {
    return "orders-" + jobId + "-config-map";
  }

  Map<String, String> data(String name) {
    return client.configMaps().inNamespace(namespace).withName(name).get().getData();
  }

  List<String> configMaps() {
    return client
        .configMaps()
        .inNamespace(namespace)
        .withLabel("app", "orders")
        .list()
        .getItems()
        .stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }

  boolean isBeingDeleted(HasMetadata object) {
    return client.resource(object).get().getMetadata().getDeletionTimestamp() != null;
  }

  String version(HasMetadata object) {
    return client.resource(object).get().getMetadata().getResourceVersion();
  }

  static ApplicationFailure failure(Runnable call) {
    ApplicationFailure failure = catchThrowableOfType(ApplicationFailure.class, call::run);
    assertThat(failure).isNotNull();
    return failure;
  }

  /** Type of the failure, or what the look says instead. */
  static String type(ClusterDeletion deletion) {
    ProbeResult<Void> result = Looks.at(deletion::look);
    return result instanceof ProbeResult.Failed<Void> failed ? failed.type() : result.toString();
  }
}
