package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** What runs a job, on a real API server, and whose status is asked for a savepoint by nonce 5. */
@ExtendWith(ApiServer.Extension.class)
abstract class StatusSnapshotScenario {

  static final String NAME = "orders-savepoint-manual-5-abcd1234";
  static final long AT = 1_795_248_000_123L;
  static final Trigger TRIGGER =
      new Trigger("00000000000000000000000000000001", "ab12cd34ab12cd34ab12cd34ab12cd34", AT);

  static final FlinkStateSnapshotStatus NONE = FlinkStateSnapshotStatus.EMPTY.attempts();

  KubernetesClient client;
  KubernetesClient worker;
  ResourceStores stores;
  SnapshotStore store;
  SnapshotStatusWriter writer;
  ResourceRef lane;
  String namespace;

  @BeforeEach
  void create(ApiServer server) throws IOException {
    client = server.client();
    namespace = server.namespace();
    worker = WorkerClient.of(server);
    FlinkDeploymentStore deployments = new FlinkDeploymentStore(worker);
    stores =
        new ResourceStores(
            List.of(deployments, new FlinkSessionJobStore(worker, deployments, StableAfter.NONE)));
    store = new SnapshotStore(worker, stores);
    writer = new SnapshotStatusWriter(worker, store, new TestClock());
    HasMetadata created = client.resource(manifest()).create();
    lane = StatusLane.of(Refs.of(created), SnapshotType.SAVEPOINT);
    assertThat(asks(5, NAME, "NATIVE")).isTrue();
  }

  /** What runs the job: of another kind in the twins of these tests. */
  HasMetadata manifest() {
    return Deployed.orders(namespace);
  }

  final JobKind kind() {
    return JobKind.of(StatusLane.owner(lane).kind());
  }

  @AfterEach
  void close() {
    worker.close();
  }

  /** As the controller does it, when a nonce is answered. */
  boolean asks(long nonce, String name, String format) {
    FlinkStateSnapshot wanted = new FlinkStateSnapshot();
    wanted.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .addToLabels(SnapshotLabels.TRIGGER_TYPE, "MANUAL")
            .build());
    wanted.setSpec(
        new FlinkStateSnapshotSpec(
            null,
            new SavepointSpec(null, SavepointFormatType.valueOf(format), null, null),
            null,
            null));
    return store.request(resource(), wanted, nonce);
  }

  /** Writes these fields of the status. */
  void patch(Object status) {
    patch("controller", status);
  }

  private void patch(String manager, Object status) {
    client
        .resource(client.resource(manifest()).get())
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(manager)
                .build(),
            client.getKubernetesSerialization().asJson(Map.of("status", status)));
  }

  JobResource resource() {
    return store.owner(lane);
  }

  JobResourceStatus status() {
    return resource().status();
  }

  String uid() {
    return store.read(lane).snapshot().getMetadata().getUid();
  }

  static FlinkStateSnapshotStatus triggering(FlinkStateSnapshotStatus before) {
    return before
        .withState(SnapshotState.IN_PROGRESS)
        .withTriggerId(TRIGGER.id())
        .withJobId(TRIGGER.jobId())
        .withTriggerTimestamp(Instant.ofEpochMilli(TRIGGER.atMs()).toString());
  }

  static FlinkStateSnapshotStatus completed(
      FlinkStateSnapshotStatus before, String path, long atMs) {
    return before
        .withState(SnapshotState.COMPLETED)
        .withPath(path)
        .withResultTimestamp(Instant.ofEpochMilli(atMs).toString());
  }

  void record(String uid, FlinkStateSnapshotStatus plannedFor, FlinkStateSnapshotStatus next) {
    writer.record(new RecordRequest(uid, plannedFor, next, report("attempt 1", null)));
  }

  OperationReport report(String message, String event) {
    return new OperationReport(
        lane,
        new RunRef("Snapshot", lane.laneId(), "run-1"),
        OperationState.RUNNING,
        "TakeSnapshot",
        1,
        null,
        message,
        event,
        null,
        null);
  }

  List<String> locations() {
    return status().savepointHistory().stream().map(Savepoint::location).toList();
  }
}
