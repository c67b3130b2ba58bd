package dev.sluice.workflows.walk;

import dev.sluice.testing.TemporalServer;
import dev.sluice.workflows.deployment.Operations;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.operation.TaskQueues;
import dev.sluice.workflows.walk.Lane.Event;
import io.temporal.activity.Activity;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.ResetReapplyExcludeType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A real Temporal with many lanes at once, whose runs can be reset. Time is real. */
final class ResettableServer implements Resettable, AutoCloseable {

  private static final String NAMESPACE = "default";
  private static final String QUEUE = "sluice-reset";
  private static final int THREADS = 2_000;
  private static final int CACHED_RUNS = 400;
  private static final int END_SECONDS = 5;
  private static final long POLL_MS = 250;
  private static final int LOOKS = 400;

  private final TemporalServer temporal;
  private final WorkflowServiceStubs stubs;
  private final WorkflowClient client;
  private final WorkerFactory factory;
  private final LaneActivities activities = new LaneActivities();
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

  ResettableServer(Path log) {
    temporal =
        TemporalServer.start(
            log, OperationAttributes.all().stream().map(key -> key.getName()).toList());
    stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(temporal.address())
                .setRpcTimeout(Duration.ofSeconds(30))
                .build());
    client = WorkflowClient.newInstance(stubs);
    factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setMaxWorkflowThreadCount(THREADS)
                .setWorkflowCacheSize(CACHED_RUNS)
                .setWorkerInterceptors(new RunEndInterceptor(this::runEnded), new QuickTime())
                .build());
    WorkerOptions options =
        WorkerOptions.newBuilder()
            .setDefaultDeadlockDetectionTimeout(30_000)
            .setDefaultHeartbeatThrottleInterval(Duration.ofMillis(1))
            .setMaxHeartbeatThrottleInterval(Duration.ofMillis(1))
            .build();
    Worker worker = factory.newWorker(QUEUE, options);
    worker.registerWorkflowImplementationTypes(Operations.class);
    worker.registerActivitiesImplementations(activities.implementation());
    factory
        .newWorker(TaskQueues.waits(QUEUE), options)
        .registerActivitiesImplementations(activities.implementation());
    factory.start();
  }

  @Override
  public void add(Lane lane) {
    lanes.put(lane.ref().laneId(), lane);
    activities.add(lane);
  }

  @Override
  public void remove(Lane lane) {
    terminate(lane.ref());
    lanes.remove(lane.ref().laneId());
    activities.remove(lane);
  }

  private void runEnded(String workflowId, String runId) {
    Lane lane = lanes.get(workflowId);
    if (lane != null) {
      lane.tell(new Event.RunEnded(runId));
    }
  }

  @Override
  public void signalWithStart(
      ResourceRef ref, String operation, OperationInput input, String signal, Object... arguments) {
    client
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
      stub(ref).terminate("terminated by the case");
      return "";
    } catch (WorkflowException closed) {
      return null;
    }
  }

  @Override
  public void forget(ResourceRef ref) {
    throw new UnsupportedOperationException("no case of these asks for it");
  }

  @Override
  public void settle(ResourceRef ref) {
    // what comes while a step is in flight is taken in whenever the run gets to it
  }

  @Override
  public @Nullable Event goOn(Lane lane) throws InterruptedException {
    return lane.next(POLL_MS);
  }

  @Override
  public void letOthersCall(Lane lane, int calls) {
    for (int i = 0; i < LOOKS && lane.steps().size() < calls; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @Override
  public String runOfActivity(ResourceRef ref) {
    return Activity.getExecutionContext().getInfo().getRunId();
  }

  @Override
  public boolean isActivityUnwanted(ResourceRef ref) {
    try {
      Activity.getExecutionContext().heartbeat(null);
      return false;
    } catch (ActivityCompletionException cancelled) {
      return true;
    }
  }

  @Override
  public @Nullable OperationProgress progress(ResourceRef ref) {
    try {
      return stub(ref).query(LaneSignals.PROGRESS, OperationProgress.class);
    } catch (WorkflowException none) {
      return null;
    }
  }

  @Override
  public String waitsFor(ResourceRef ref) {
    DescribeWorkflowExecutionResponse now = describe(ref);
    return "%s; activities: %s; workflow task: %s"
        .formatted(progress(ref), now.getPendingActivitiesList(), now.getPendingWorkflowTask());
  }

  @Override
  public WorkflowExecutionStatus status(ResourceRef ref) {
    return describe(ref).getWorkflowExecutionInfo().getStatus();
  }

  private DescribeWorkflowExecutionResponse describe(ResourceRef ref) {
    return stubs
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(execution(ref, ""))
                .build());
  }

  @Override
  public List<Long> steps(ResourceRef ref, String runId) {
    return history(ref, runId).stream()
        .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        .map(HistoryEvent::getEventId)
        .toList();
  }

  /** The events of a run, as the replayer reads them. */
  String historyAsJson(ResourceRef ref, String runId) {
    return client.fetchHistory(ref.laneId(), runId).toJson(true);
  }

  private List<HistoryEvent> history(ResourceRef ref, String runId) {
    return stubs
        .blockingStub()
        .getWorkflowExecutionHistory(
            GetWorkflowExecutionHistoryRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(execution(ref, runId))
                .build())
        .getHistory()
        .getEventsList();
  }

  @Override
  public void reset(ResourceRef ref, String runId, long event, Reapply reapply) {
    ResetWorkflowExecutionRequest.Builder request =
        ResetWorkflowExecutionRequest.newBuilder()
            .setNamespace(NAMESPACE)
            .setWorkflowExecution(execution(ref, runId))
            .setWorkflowTaskFinishEventId(event)
            .setRequestId(UUID.randomUUID().toString())
            .setReason("reset by the case");
    if (reapply == Reapply.NONE) {
      request.addAllResetReapplyExcludeTypes(
          List.of(
              ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL,
              ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE,
              ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_CANCEL_REQUEST));
    }
    var unused = stubs.blockingStub().resetWorkflowExecution(request.build());
  }

  private static WorkflowExecution execution(ResourceRef ref, String runId) {
    return WorkflowExecution.newBuilder().setWorkflowId(ref.laneId()).setRunId(runId).build();
  }

  private WorkflowStub stub(ResourceRef ref) {
    return client.newUntypedWorkflowStub(ref.laneId());
  }

  @Override
  public void close() {
    factory.shutdownNow();
    factory.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    stubs.shutdownNow();
    temporal.close();
  }
}
