package dev.sluice.workflows.fake;

import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.RecoveryCause;
import dev.sluice.workflows.deployment.Operations;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.TaskQueues;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Temporal's test server with all operations registered, over one {@link FakeEnvironment}. */
public final class OperationTestServer implements AutoCloseable {

  /** The workflow types that a worker registers. */
  public static final Class<?>[] WORKFLOWS = Operations.all().toArray(new Class<?>[0]);

  private final FakeEnvironment world;
  private final TestWorkflowEnvironment environment;
  private final String laneId;

  public OperationTestServer(FakeEnvironment world) {
    this.world = world;
    this.laneId = world.ref().laneId();
    environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder().setUseTimeskipping(true).build());
    OperationAttributes.all()
        .forEach(
            key ->
                environment.registerSearchAttribute(
                    key.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD));
    Worker worker =
        environment.newWorker(
            "sluice-test",
            WorkerOptions.newBuilder().setDefaultDeadlockDetectionTimeout(60_000).build());
    worker.registerWorkflowImplementationTypes(WORKFLOWS);
    worker.registerActivitiesImplementations(world, new NothingRescaled());
    environment.newWorker(TaskQueues.waits("sluice-test")).registerActivitiesImplementations(world);
    environment.start();
  }

  /** As with kubectl: the resource is being deleted, and the controller asks for it. */
  public void delete() {
    world.deleting = true;
    signalWithStart("Delete", world.generation);
  }

  /** As the controller does it: starts the operation, or reaches the run that is open. */
  public WorkflowStub signalWithStart(String operation, long generation) {
    return signalWithStart(operation, OperationInput.of(world.ref(), generation, "test"));
  }

  /** The controller sees that a job has ended whose JobManager is not to be stopped yet. */
  public WorkflowStub finishKeepingJobManager(long generation) {
    return signalWithStart(
        "Finish", OperationInput.of(world.ref(), generation, "test").withKeepsJobManager(true));
  }

  /** A person annotates the resource with {@code sluice.dev/rollback}. */
  public WorkflowStub rollBack(long generation) {
    return signalWithStart(
        "Rollback", OperationInput.of(world.ref(), generation, "test").asRetry());
  }

  /** The controller sees that the job of generation 6 is lost. */
  public WorkflowStub recover(RecoveryCause cause, String why) {
    return recover(cause, why, world.generation);
  }

  /**
   * The same.
   *
   * @param newest generation that the controller knew, which is given up if it differs
   */
  public WorkflowStub recover(RecoveryCause cause, String why, long newest) {
    return signalWithStart(
        "Recover", OperationInput.of(world.ref(), newest, why).recovering(cause));
  }

  /** The controller sees that this job of generation 6 is not healthy. */
  public WorkflowStub restart(SeenUnhealthy job) {
    return signalWithStart(
        "Recover",
        OperationInput.of(world.ref(), world.generation, "it restarts all the time")
            .restarting(job));
  }

  private WorkflowStub signalWithStart(String operation, OperationInput input) {
    WorkflowStub stub =
        environment
            .getWorkflowClient()
            .newUntypedWorkflowStub(
                operation,
                WorkflowOptions.newBuilder()
                    .setTaskQueue("sluice-test")
                    .setWorkflowId(laneId)
                    .setWorkflowIdConflictPolicy(
                        WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
                    .setTypedSearchAttributes(OperationAttributes.of(world.ref(), operation))
                    .build());
    boolean delete = operation.equals("Delete");
    stub.signalWithStart(
        delete ? LaneSignals.DELETE : LaneSignals.RETARGET,
        delete ? new Object[] {} : new Object[] {input.generation()},
        new Object[] {input});
    return stub;
  }

  /** Sends a signal to whatever run is open. */
  public void signal(String name, Object... arguments) {
    lane().signal(name, arguments);
  }

  /** The newest run of the lane. */
  public WorkflowStub lane() {
    return environment.getWorkflowClient().newUntypedWorkflowStub(laneId);
  }

  /** The outcome of the last run of the lane, hand-overs followed. */
  public OperationResult outcome() {
    try {
      // a workflow task that the server does not take, because an activity has ended while it was
      // being cancelled, is begun again after 10 s
      return lane().getResult(2, TimeUnit.MINUTES, OperationResult.class);
    } catch (TimeoutException e) {
      throw new AssertionError("the run did not end; it is at " + progress(), e);
    }
  }

  /** The time by the server's clock, which skips. */
  public Instant now() {
    return Instant.ofEpochMilli(environment.currentTimeMillis());
  }

  /** The progress query. */
  public OperationProgress progress() {
    return lane().query(LaneSignals.PROGRESS, OperationProgress.class);
  }

  /** What Temporal's UI shows as current details. */
  public String currentDetails() {
    return lane().query("__temporal_workflow_metadata", WorkflowMetadata.class).getCurrentDetails();
  }

  /** Returns when the run is held, and why. */
  public OperationProgress.Held awaitHeld() {
    return await().pollInterval(Duration.ofMillis(20)).until(this::held, Objects::nonNull);
  }

  private OperationProgress.@Nullable Held held() {
    return progress().held();
  }

  /** The history of the newest run as JSON. */
  public String history() {
    return environment.getWorkflowClient().fetchHistory(laneId).toJson(true);
  }

  /** The summaries that people see, of the steps of the newest run. */
  public List<String> done() {
    return progress().done();
  }

  @Override
  public void close() {
    environment.close();
  }
}
