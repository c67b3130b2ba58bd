package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.async.BlockingWatcher;
import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.job.Savepoints;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.CountedRequests;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeView;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.Patience;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.TaskQueues;
import dev.sluice.workflows.snapshot.DisposeSnapshot;
import dev.sluice.workflows.snapshot.DisposeSnapshotWorkflow;
import dev.sluice.workflows.snapshot.Snapshot;
import dev.sluice.workflows.snapshot.SnapshotWorkflow;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerOptions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many snapshots on a real API server, with Temporal's test server and a stand-in for Flink: see
 * "Many at once" in docs/snapshots.md.
 */
@ExtendWith(ApiServer.Extension.class)
@Tag("slow")
class ManySnapshotsIT {

  private static final String QUEUE = "many";
  private static final int SNAPSHOTS = 200;
  private static final int AT_A_TIME = 10;

  /** Requests a second, of all that wait. */
  private static final int WAITING = 50;

  /** Longer than what is left over from their beginning. */
  private static final int MEASURED_S = 8;

  /** Requests of the run of one snapshot that queues. */
  private static final int EACH = 14;

  /** What a worker carries out at a time, beside waits. */
  private static final int SLOTS = 32;

  private static final int DELETED = 60;
  private static final int EACH_DELETED = 12;

  /** Other tests leave resources too, a hundred on each page. */
  private static final int PAGES = 3;

  private static final String LIST = "GET /apis/flink.apache.org/v1beta1/flinkdeployments";

  private final CountedRequests requests = new CountedRequests();
  private final BusyFlink flink = new BusyFlink();
  private final ExecutorService reads = Executors.newFixedThreadPool(4);
  private TestWorkflowEnvironment temporal;
  private BlockingWatcher watcher;
  private KubernetesClient admin;
  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void start(ApiServer server) {
    admin = server.client();
    namespace = server.namespace();
    client = requests.client(server.config());
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
    OperationAttributes.all()
        .forEach(
            key ->
                temporal.registerSearchAttribute(
                    key.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD));
    watcher =
        new BlockingWatcher(
            temporal.getWorkflowClient().newActivityCompletionClient(), WaitReporter.NONE);
    FakeView unwatched = new FakeView();
    unwatched.synced = false;
    Worker worker =
        temporal.newWorker(
            QUEUE, WorkerOptions.newBuilder().setMaxConcurrentActivityExecutionSize(SLOTS).build());
    worker.registerWorkflowImplementationTypes(
        SnapshotWorkflow.class, DisposeSnapshotWorkflow.class);
    SnapshotActivitiesImpl activities =
        new SnapshotActivitiesImpl(
            client,
            new ResourceStores(List.of(new FlinkDeploymentStore(client))),
            Set.of(),
            new ClusterAccess(new ClusterReader(client), unwatched, reads, Clock.systemUTC()),
            flink.rest(),
            new Savepoints(new SavepointLimiter(AT_A_TIME, 50)),
            watcher,
            false);
    worker.registerActivitiesImplementations(activities);
    temporal
        .newWorker(
            TaskQueues.waits(QUEUE),
            WorkerOptions.newBuilder().setMaxConcurrentActivityExecutionSize(2 * SNAPSHOTS).build())
        .registerActivitiesImplementations(activities);
    temporal.start();
  }

  @AfterEach
  void stop() {
    watcher.close();
    temporal.close();
    client.close();
    reads.shutdownNow();
    snapshots().stream()
        .filter(it -> it.getMetadata().getDeletionTimestamp() != null)
        .forEach(
            it -> {
              it.getMetadata().setFinalizers(List.of());
              FlinkStateSnapshot unused = admin.resource(it).update();
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void allOfThemEndWithinTheirBudget(int jobs) {
    // given: an operation is at work on each job
    IntStream.range(0, jobs).forEach(job -> deploy("orders-" + job));
    long began = System.nanoTime();
    for (int i = 0; i < SNAPSHOTS; i++) {
      run(Snapshot.TYPE, snapshot("many-" + i, "orders-" + i % jobs));
    }
    await().atMost(Patience.times(3)).until(() -> watcher.open() == SNAPSHOTS);

    // when: they wait
    int before = requests.paths().size();
    long from = System.nanoTime();
    await()
        .atMost(Patience.times(3))
        .until(() -> requests.paths().size() >= before + 10 * jobs && seconds(from) > MEASURED_S);
    double waiting = requests.paths().size() - before;

    // then
    assertThat(waiting / seconds(from)).isLessThan(WAITING);

    // when: each of them would be taken, and none ends
    IntStream.range(0, jobs).forEach(job -> end("orders-" + job));
    await()
        .atMost(Patience.times(3))
        .until(() -> flink.asked.size() == SNAPSHOTS && flink.savepoints.size() >= AT_A_TIME);

    // then
    assertThat(flink.savepoints).as("of all clusters of the namespace").hasSize(AT_A_TIME);

    // when
    boolean unused = flink.released.complete(true);
    await()
        .atMost(Patience.times(3))
        .untilAsserted(
            () -> assertThat(states()).isEqualTo(Map.of(SnapshotState.COMPLETED, SNAPSHOTS)));

    // then
    double seconds = seconds(began);
    System.out.printf(
        "%d snapshots of %d jobs: %.1f s, %d requests, waiting %.1f a second, %d looks at Flink%n",
        SNAPSHOTS, jobs, seconds, requests.paths().size(), waiting, flink.overviews.get());
    assertThat(flink.savepoints).hasSize(SNAPSHOTS);
    assertThat(flink.clusters).hasSize(jobs);
    assertThat(flink.most).hasValueLessThanOrEqualTo(AT_A_TIME);
    assertThat((double) requests.paths().size()).isLessThan(EACH * SNAPSHOTS + WAITING * seconds);
  }

  /** As a namespace is deleted, while the list of the FlinkDeployments takes long. */
  @Test
  void allOfThemThatAreDeletedShareTheListsAndHoldNoSlotMeanwhile() {
    // given: savepoints of one job, whose cluster is there
    deploy("orders-0");
    end("orders-0");
    admin.resource(jobManager("orders-0")).create();
    List<ResourceRef> deleted =
        IntStream.range(0, DELETED).mapToObj(i -> deleted("deleted-" + i)).toList();
    CountDownLatch listed = new CountDownLatch(1);
    requests.hold(LIST, listed);
    int before = requests.paths().size();

    // when: all of them wait for the lists
    deleted.forEach(it -> run(DisposeSnapshot.TYPE, it));
    await().atMost(Patience.times(3)).until(() -> watcher.open() == DELETED);
    assertThat(flink.disposed).isEmpty();
    listed.countDown();
    await()
        .atMost(Patience.times(3))
        .untilAsserted(
            () ->
                assertThat(snapshots())
                    .extracting(it -> it.getStatus().operation())
                    .allMatch(it -> it != null && it.state() == OperationState.SUCCEEDED));

    // then
    List<String> made = requests.paths().subList(before, requests.paths().size());
    System.out.printf("%d deletions: %d requests%n", DELETED, made.size());
    assertThat(flink.disposed).hasSize(DELETED);
    assertThat(made.stream().filter(LIST::equals)).hasSizeLessThanOrEqualTo(2 * PAGES);
    assertThat(made).hasSizeLessThan(EACH_DELETED * DELETED);
  }

  private Deployment jobManager(String name) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("flink")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** Taken, and then deleted: it stays for its finalizer. */
  private ResourceRef deleted(String name) {
    ResourceRef ref = snapshot(name, "orders-0", FlinkStateSnapshot.FINALIZER);
    FlinkStateSnapshot taken =
        admin.resources(FlinkStateSnapshot.class).inNamespace(namespace).withName(name).get();
    taken.setStatus(
        FlinkStateSnapshotStatus.EMPTY
            .withState(SnapshotState.COMPLETED)
            .withPath("s3://bucket/savepoint-" + name));
    FlinkStateSnapshot unused = admin.resource(taken).updateStatus();
    admin.resource(taken).delete();
    return ref;
  }

  private static double seconds(long from) {
    return (System.nanoTime() - from) / 1e9;
  }

  private void deploy(String name) {
    FlinkDeployment resource = Deployed.orders(namespace);
    resource.getMetadata().setName(name);
    resource = admin.resource(resource).create();
    operation(resource, OperationState.RUNNING);
  }

  private void end(String name) {
    operation(
        admin.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get(),
        OperationState.SUCCEEDED);
  }

  private void operation(FlinkDeployment resource, OperationState state) {
    String frozen = new FrozenSpec(resource.getSpec(), 1, false).toJson();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(
                new ReconciliationStatus(1L, frozen, frozen, ReconciliationState.DEPLOYED))
            .withOperation(OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(state)));
    FlinkDeployment unused = admin.resource(resource).updateStatus();
  }

  private ResourceRef snapshot(String name, String job, String... finalizers) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName(name)
            .withFinalizers(finalizers)
            .build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, job),
            new SavepointSpec(null, null, null, null),
            null,
            null));
    return new ResourceRef(
        "kubernetes",
        FlinkStateSnapshot.KIND,
        namespace,
        name,
        admin.resource(snapshot).create().getMetadata().getUid());
  }

  private void run(String type, ResourceRef snapshot) {
    WorkflowStub stub =
        temporal
            .getWorkflowClient()
            .newUntypedWorkflowStub(
                type,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(QUEUE)
                    .setWorkflowId(snapshot.laneId())
                    .setTypedSearchAttributes(OperationAttributes.of(snapshot, type))
                    .build());
    stub.start(OperationInput.of(snapshot, 1, "wanted"));
  }

  private List<FlinkStateSnapshot> snapshots() {
    return admin.resources(FlinkStateSnapshot.class).inNamespace(namespace).list().getItems();
  }

  private Map<SnapshotState, Integer> states() {
    return snapshots().stream()
        .collect(Collectors.toMap(it -> it.getStatus().stateOrPending(), it -> 1, Integer::sum));
  }
}
