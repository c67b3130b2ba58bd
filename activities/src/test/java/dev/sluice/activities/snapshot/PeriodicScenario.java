package dev.sluice.activities.snapshot;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities.CreateRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A resource whose job runs, and whose schedules ask, with the rights of the committed manifest.
 */
final class PeriodicScenario implements AutoCloseable {

  static final String SAVEPOINTS = "kubernetes.operator.periodic.savepoint.interval";
  static final String CHECKPOINTS = "kubernetes.operator.periodic.checkpoint.interval";
  static final String ENABLED = "kubernetes.operator.snapshot.resource.enabled";

  private static final Instant DUE = Instant.parse("2026-11-21T10:00:05Z");

  final List<String> ended = new ArrayList<>();
  final KubernetesClient admin;
  final KubernetesClient worker;
  final String namespace;
  final FakeFlink flink = new FakeFlink().running();
  final ResourceStores stores;
  private final PeriodicSnapshots snapshots;

  PeriodicScenario(ApiServer server) throws IOException {
    admin = server.client();
    namespace = server.namespace();
    worker = WorkerClient.of(server);
    FlinkDeploymentStore deployments = new FlinkDeploymentStore(worker);
    stores =
        new ResourceStores(
            List.of(deployments, new FlinkSessionJobStore(worker, deployments, StableAfter.NONE)));
    snapshots = new PeriodicSnapshots(worker, stores, flink, ended::add);
  }

  /** The resource, deployed with these keys. */
  ResourceRef deployed(FlinkVersion version, Map<String, String> keys) {
    return deployed(Deployed.orders(namespace), version, keys);
  }

  /** The same of another one. */
  ResourceRef deployed(FlinkDeployment resource, FlinkVersion version, Map<String, String> keys) {
    FlinkDeploymentSpec spec =
        Deployed.SPEC
            .withFlinkVersion(version)
            .withConfiguration(Deployed.SPEC.configuration().withAll(keys));
    resource.setSpec(spec);
    String frozen = new FrozenSpec(spec, 1, false).toJson();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            new ReconciliationStatus(1L, frozen, frozen, ReconciliationState.DEPLOYED)));
    return there(resource);
  }

  /** A FlinkSessionJob as it stands. */
  ResourceRef there(FlinkSessionJob job) {
    FlinkSessionJobStatus status = job.getStatus();
    job.getMetadata().setNamespace(namespace);
    job.getMetadata().setUid(null);
    FlinkSessionJob created = admin.resource(job).create();
    created.setStatus(status);
    FlinkSessionJob unused = admin.resource(created).updateStatus();
    return new ResourceRef(
        Refs.RESOURCE.kubernetes(),
        FlinkSessionJob.KIND,
        namespace,
        created.getMetadata().getName(),
        created.getMetadata().getUid());
  }

  /** A FlinkDeployment as it stands. */
  ResourceRef there(FlinkDeployment deployment) {
    FlinkDeploymentStatus status = deployment.getStatus();
    deployment.getMetadata().setNamespace(namespace);
    deployment.getMetadata().setUid(null);
    FlinkDeployment created = admin.resource(deployment).create();
    created.setStatus(status);
    FlinkDeployment unused = admin.resource(created).updateStatus();
    return Deployed.ref(created);
  }

  /** The FlinkStateSnapshots of the namespace. */
  List<FlinkStateSnapshot> made() {
    return admin.resources(FlinkStateSnapshot.class).inNamespace(namespace).list().getItems();
  }

  /** What the schedule of the type starts at a time, so many seconds after the first one. */
  String create(ResourceRef ref, SnapshotType type, int later) {
    return snapshots.create(
        new CreateRequest(ref, type, DUE.plusSeconds(later).toEpochMilli(), "schedule-1"));
  }

  FlinkDeploymentStatus status() {
    return admin
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName("orders")
        .get()
        .getStatus();
  }

  @Override
  public void close() {
    worker.close();
  }
}
