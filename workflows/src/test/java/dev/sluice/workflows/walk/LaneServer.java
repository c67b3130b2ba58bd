package dev.sluice.workflows.walk;

import dev.sluice.workflows.deployment.DeleteWorkflow;
import dev.sluice.workflows.deployment.DeployWorkflow;
import dev.sluice.workflows.deployment.FinishWorkflow;
import dev.sluice.workflows.deployment.RollbackWorkflow;
import dev.sluice.workflows.deployment.UpgradeWorkflow;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.history.v1.History;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Temporal's test server with many lanes at once. It becomes slower with each event that it has
 * seen, so it is made anew for each batch of cases. See {@link QuickTime}.
 */
final class LaneServer implements Engine, AutoCloseable {

  private static final String QUEUE = "sluice-walk";
  private static final int SETTLE_LOOKS = 24;
  private static final long LONGEST_PAUSE_MS = 64;
  private static final Class<?>[] WORKFLOWS = {
    DeployWorkflow.class,
    UpgradeWorkflow.class,
    RollbackWorkflow.class,
    DeleteWorkflow.class,
    FinishWorkflow.class
  };

  private final TestWorkflowEnvironment environment;
  private final LaneActivities activities = new LaneActivities();
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

  LaneServer() {
    environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(false)
                .setWorkflowServiceStubsOptions(
                    WorkflowServiceStubsOptions.newBuilder()
                        .setGrpcCompression(GrpcCompression.NONE)
                        .build())
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(
                            new RunEndInterceptor(this::runEnded), new QuickTime())
                        .build())
                .build());
    OperationAttributes.all()
        .forEach(
            key ->
                environment.registerSearchAttribute(
                    key.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD));
    Worker worker =
        environment.newWorker(
            QUEUE,
            WorkerOptions.newBuilder()
                .setDefaultDeadlockDetectionTimeout(30_000)
                .setDefaultHeartbeatThrottleInterval(Duration.ofMillis(1))
                .setMaxHeartbeatThrottleInterval(Duration.ofMillis(1))
                .build());
    worker.registerWorkflowImplementationTypes(WORKFLOWS);
    worker.registerActivitiesImplementations(activities);
    environment.start();
  }

  void add(Lane lane) {
    lanes.put(lane.ref().laneId(), lane);
    activities.add(lane);
  }

  /** The lane is not driven any more. */
  void remove(Lane lane) {
    terminate(lane.ref());
    lanes.remove(lane.ref().laneId());
    activities.remove(lane);
  }

  private void runEnded(String workflowId, String runId) {
    Lane lane = lanes.get(workflowId);
    if (lane != null) {
      lane.tell(new Lane.Event.RunEnded(runId));
    }
  }

  @Override
  public void signalWithStart(
      ResourceRef ref, String operation, OperationInput input, String signal, Object... arguments) {
    environment
        .getWorkflowClient()
        .newUntypedWorkflowStub(
            operation,
            WorkflowOptions.newBuilder()
                .setTaskQueue(QUEUE)
                .setWorkflowId(ref.laneId())
                .setWorkflowIdConflictPolicy(
                    WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
                .setTypedSearchAttributes(OperationAttributes.of(ref, operation))
                .build())
        .signalWithStart(signal, arguments, new Object[] {input});
  }

  @Override
  public void signal(ResourceRef ref, String name, Object... arguments) {
    try {
      stub(ref).signal(name, arguments);
    } catch (WorkflowNotFoundException closed) {
      // asked too late
    }
  }

  @Override
  public void cancel(ResourceRef ref) {
    try {
      stub(ref).cancel();
    } catch (WorkflowNotFoundException closed) {
      // asked too late
    }
  }

  @Override
  public @Nullable String terminate(ResourceRef ref) {
    try {
      WorkflowStub stub = stub(ref);
      stub.terminate("terminated by the case");
      return "";
    } catch (WorkflowException closed) {
      return null;
    }
  }

  /** What the run says of itself; null when there is none. */
  @Nullable OperationProgress progress(ResourceRef ref) {
    try {
      return stub(ref).query(LaneSignals.PROGRESS, OperationProgress.class);
    } catch (WorkflowException none) {
      return null;
    }
  }

  /** Whether a run of the lane is open. */
  boolean open(ResourceRef ref) {
    return status(ref, "") == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  /** How the run stands; of the newest one when {@code runId} is empty. */
  WorkflowExecutionStatus status(ResourceRef ref, String runId) {
    return environment
        .getWorkflowServiceStubs()
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(environment.getNamespace())
                .setExecution(
                    WorkflowExecution.newBuilder().setWorkflowId(ref.laneId()).setRunId(runId))
                .build())
        .getWorkflowExecutionInfo()
        .getStatus();
  }

  /**
   * Returns when the run has no task in hand and no activity in flight but the one that asks, or is
   * closed.
   */
  @Override
  public void settle(ResourceRef ref, String runId) {
    GetWorkflowExecutionHistoryRequest request =
        GetWorkflowExecutionHistoryRequest.newBuilder()
            .setNamespace(environment.getNamespace())
            .setExecution(
                WorkflowExecution.newBuilder().setWorkflowId(ref.laneId()).setRunId(runId))
            .build();
    WorkflowServiceGrpc.WorkflowServiceBlockingStub service =
        environment.getWorkflowServiceStubs().blockingStub();
    long pauseMs = 1;
    for (int i = 0; i < SETTLE_LOOKS; i++) {
      if (isSettled(service.getWorkflowExecutionHistory(request).getHistory())) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMs));
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  private static boolean isSettled(History history) {
    boolean task = false;
    int activities = 0;
    for (HistoryEvent event : history.getEventsList()) {
      switch (event.getEventType()) {
        case EVENT_TYPE_WORKFLOW_TASK_SCHEDULED -> task = true;
        case EVENT_TYPE_WORKFLOW_TASK_COMPLETED -> task = false;
        case EVENT_TYPE_ACTIVITY_TASK_SCHEDULED -> activities++;
        case EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
            EVENT_TYPE_ACTIVITY_TASK_FAILED,
            EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
            EVENT_TYPE_ACTIVITY_TASK_CANCELED ->
            activities--;
        case EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
            EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
            EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
            EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
            EVENT_TYPE_WORKFLOW_EXECUTION_FAILED -> {
          return true;
        }
        default -> {
          // of no importance here
        }
      }
    }
    return !task && activities <= 1;
  }

  private WorkflowStub stub(ResourceRef ref) {
    return environment.getWorkflowClient().newUntypedWorkflowStub(ref.laneId());
  }

  @Override
  public void close() {
    environment.close();
  }
}
