package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.job.Savepoints;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.DrivenWatcher;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the activities of a snapshot are put together, on a real API server. */
class SnapshotActivitiesIT extends StatusSnapshotScenario {

  /** Of its own for each test: who needs it is looked for in all namespaces. */
  private final String path =
      "s3://bucket/savepoint-ab12cd-" + UUID.randomUUID().toString().replace("-", "");

  private final Checkpoints newest = Stats.none().savepoint(7, path).build();
  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final DrivenWatcher watcher = new DrivenWatcher(clock);
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private SnapshotActivities activities;

  @BeforeEach
  void ordersIsDeployed() {
    String frozen = new FrozenSpec(Deployed.SPEC, 1, false).toJson();
    patch(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            new ReconciliationStatus(1L, frozen, frozen, ReconciliationState.DEPLOYED)));
    temporal.registerActivitiesImplementations(
        new SnapshotActivitiesImpl(
            client,
            new ResourceStores(List.of(new FlinkDeploymentStore(client))),
            Set.of(),
            FakeClusters.running().access(clock),
            flink,
            new Savepoints(new SavepointLimiter(1, 1)),
            watcher,
            false));
    activities = temporal.newActivityStub(SnapshotActivities.class);
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  private ResourceRef snapshot() {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName("before").build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, "orders"),
            new SavepointSpec("s3://bucket", null, null, null),
            null,
            null));
    return new ResourceRef(
        "kubernetes",
        FlinkStateSnapshot.KIND,
        namespace,
        "before",
        client.resource(snapshot).create().getMetadata().getUid());
  }

  private Disposal dispose(ResourceRef of, String path) {
    watcher.between(() -> flink.disposal(new DisposalOperation.Completed()));
    return activities.dispose(
        new DisposeRequest(of, path, false, List.of(), clock.in(Duration.ofMinutes(2))));
  }

  private void isLeft(Disposal disposal, String why) {
    assertThat(disposal)
        .isInstanceOfSatisfying(
            Disposal.Impossible.class, it -> assertThat(it.why()).contains(why));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aSavepointOfAJobThatIsUpIsDeleted() {
    flink.running().checkpoints(newest);

    assertThat(dispose(snapshot(), path)).isInstanceOf(Disposal.Done.class);
    assertThat(flink.effects).containsExactly("dispose " + path);
  }

  /** No status names it, as no operation has asked Flink yet. */
  @Test
  void theNewestStateOfAJobThatIsNotUpIsLeft() {
    flink.job(FlinkJobState.RESTARTING, 0).checkpoints(newest);

    isLeft(dispose(snapshot(), path), "it is the newest state of its job");
  }

  @Test
  void whatTheNextJobStartsFromIsLeft() {
    flink.running();
    patch(
        FlinkDeploymentStatus.EMPTY.withRecordedState(
            new RecordedState(RecordedState.Type.SAVEPOINT, path, null, null, null)));

    isLeft(dispose(snapshot(), path), "FlinkDeployment " + namespace + "/orders");
  }

  /** A run that was reset remembers what the history has gone past. */
  @Test
  void onlyWhatGoesNextInTheHistoryIsDeletedOfIt() {
    flink.running();
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed(path, AT));
    patch(
        FlinkDeploymentStatus.EMPTY.withSnapshotTriggers(
            new SnapshotTriggers(null, null, null, path)));

    isLeft(dispose(lane, "s3://bucket/savepoint-other"), "not what goes next in the history");
    assertThat(dispose(lane, path)).isInstanceOf(Disposal.Done.class);
    assertThat(flink.effects).containsExactly("dispose " + path);
  }
}
