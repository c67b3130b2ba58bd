package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.DrivenWatcher;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.SnapshotActivities;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.ObserveRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
            new SavepointReferences(
                client, List.of(FlinkDeployment.class, FlinkStateSnapshot.class), Set.of()),
            FakeClusters.running().access(clock),
            flink,
            new SavepointLimiter(1, clock, new SimpleMeterRegistry()),
            watcher,
            () -> DefaultConfiguration.NONE));
    activities = temporal.newActivityStub(SnapshotActivities.class);
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  private ResourceRef snapshot() {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName("disposed").build());
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
        "disposed",
        client.resource(snapshot).create().getMetadata().getUid());
  }

  private Disposal dispose(ResourceRef of, String path) {
    watcher.between(() -> flink.disposal(new DisposalOperation.Completed()));
    return activities.dispose(new DisposeRequest(of, path, clock.in(Duration.ofMinutes(2))));
  }

  private void isLeft(Disposal disposal, String why) {
    assertThat(disposal)
        .isInstanceOfSatisfying(Disposal.Left.class, it -> assertThat(it.why()).contains(why));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aSavepointOfAJobThatIsUpIsDeleted() {
    flink.running().checkpoints(newest);

    assertThat(dispose(snapshot(), path)).isInstanceOf(Disposal.Done.class);
    assertThat(flink.effects).containsExactly("dispose " + path);
  }

  @Test
  void whatTheNextJobStartsFromIsLeft() {
    flink.running();
    patch(
        FlinkDeploymentStatus.EMPTY.withRecordedState(
            new RecordedState(RecordedState.Type.SAVEPOINT, path, null, null, null)));

    isLeft(dispose(snapshot(), path), "FlinkDeployment " + namespace + "/orders");
  }

  /** Its worker may have been lost after it was sent, and Flink restarted since. */
  @Test
  void aTriggerThatWasRecordedLongAgoIsNotSent() {
    flink.running();

    Outcome outcome =
        activities.take(
            new TakeRequest(
                snapshot(),
                new Trigger(TRIGGER.id(), FakeFlink.JOB, 1),
                true,
                clock.in(Duration.ofMinutes(10))));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Lost.class,
            it ->
                assertThat(it.why())
                    .endsWith(
                        "it is in s3://bucket, named savepoint-"
                            + FakeFlink.JOB.substring(0, 6)
                            + "-*"));
    assertThat(flink.effects).isEmpty();
  }

  /** FLINK-39439: Apache's operator forgets it first, and its files stay. */
  @Test
  void theHistoryForgetsTheOldestOnceItsFilesAreDeleted() {
    flink.running();
    String uid = uid();
    record(uid, NONE, completed(NONE, path, AT));
    asks(6, "orders-savepoint-manual-6", "NATIVE");
    record(uid(), NONE, completed(NONE, "s3://newest", AT + 1));
    watcher.between(() -> flink.disposal(new DisposalOperation.Completed()));

    List<String> excess = activities.observe(new ObserveRequest(lane)).excess();
    excess.forEach(
        it -> activities.dispose(new DisposeRequest(lane, it, clock.in(Duration.ofMinutes(2)))));

    assertThat(flink.effects).containsExactly("dispose " + path);
    assertThat(locations()).containsExactly("s3://newest");
  }

  @Test
  void anAttemptThatTemporalHasGivenUpTellsNothing() {
    watcher.givenUp();

    activities.dispose(new DisposeRequest(lane, path, clock.in(Duration.ofMinutes(2))));

    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .noneMatch(it -> it.getMessage().contains(path));
  }
}
