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
import io.temporal.api.testservice.v1.LockTimeSkippingRequest;
import io.temporal.api.testservice.v1.TestServiceGrpc;
import io.temporal.api.testservice.v1.UnlockTimeSkippingRequest;
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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Temporal's test server with many lanes at once. It becomes slower with each event that it has
 * seen, so it is made anew for each batch of cases. Time skips when no lane has anything to do.
 */
final class LaneServer implements Engine, AutoCloseable {

  private static final String QUEUE = "sluice-walk";
  private static final int SETTLE_LOOKS = 3_000;
  private static final long LOOK_MS = 200;
  private static final int LOOKS_UNTIL_STALLED = 5;
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
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicInteger inFlight = new AtomicInteger();
  private long callsSeen;
  private int looksWithoutCall;

  LaneServer() {
    environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(true)
                .setWorkflowServiceStubsOptions(
                    WorkflowServiceStubsOptions.newBuilder()
                        .setGrpcCompression(GrpcCompression.NONE)
                        .build())
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(new RunEndInterceptor(this::runEnded))
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
    // time is locked until a client waits for a result, which none here does
    unlockTime();
    watch.scheduleWithFixedDelay(this::freeTime, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * The test server sometimes forgets that it has locked the time for an activity of a run that was
   * closed. Then nothing happens in any lane, because all of them wait for a timer.
   */
  private void freeTime() {
    long now = calls.get();
    boolean idle = now == callsSeen && inFlight.get() == 0 && !lanes.isEmpty();
    callsSeen = now;
    looksWithoutCall = idle ? looksWithoutCall + 1 : 0;
    if (looksWithoutCall >= LOOKS_UNTIL_STALLED) {
      looksWithoutCall = 0;
      unlockTime();
    }
  }

  @Override
  public void callBegins() {
    calls.incrementAndGet();
    inFlight.incrementAndGet();
  }

  @Override
  public void callEnds() {
    inFlight.decrementAndGet();
  }

  /** No pause of any lane ends until {@link #letTimePass()}. */
  @Override
  public void lockTime() {
    inFlight.incrementAndGet();
    time().lockTimeSkipping(LockTimeSkippingRequest.getDefaultInstance());
  }

  @Override
  public void letTimePass() {
    unlockTime();
    inFlight.decrementAndGet();
  }

  private void unlockTime() {
    time().unlockTimeSkipping(UnlockTimeSkippingRequest.getDefaultInstance());
  }

  private TestServiceGrpc.TestServiceBlockingStub time() {
    return TestServiceGrpc.newBlockingStub(environment.getWorkflowServiceStubs().getRawChannel());
  }

  /**
   * An activity in flight locks the time, and the test server forgets to unlock it when the run is
   * closed meanwhile.
   */
  @Override
  public void activityEnds(ResourceRef ref, String runId) {
    if (status(ref, runId) != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) {
      unlockTime();
    }
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
    settle(ref, runId, 1);
  }

  /** Returns when the newest run has no task in hand and no activity in flight, or is closed. */
  void settle(ResourceRef ref) {
    settle(ref, "", 0);
  }

  private void settle(ResourceRef ref, String runId, int asking) {
    GetWorkflowExecutionHistoryRequest request =
        GetWorkflowExecutionHistoryRequest.newBuilder()
            .setNamespace(environment.getNamespace())
            .setExecution(
                WorkflowExecution.newBuilder().setWorkflowId(ref.laneId()).setRunId(runId))
            .build();
    WorkflowServiceGrpc.WorkflowServiceBlockingStub service =
        environment.getWorkflowServiceStubs().blockingStub();
    for (int i = 0; i < SETTLE_LOOKS; i++) {
      if (isSettled(service.getWorkflowExecutionHistory(request).getHistory(), asking)) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static boolean isSettled(History history, int asking) {
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
    return !task && activities <= asking;
  }

  private WorkflowStub stub(ResourceRef ref) {
    return environment.getWorkflowClient().newUntypedWorkflowStub(ref.laneId());
  }

  @Override
  public void close() {
    watch.shutdownNow();
    environment.close();
  }
}
