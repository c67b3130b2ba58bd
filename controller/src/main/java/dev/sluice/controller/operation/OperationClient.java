package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationTable;
import io.grpc.Context;
import io.grpc.Deadline;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The calls to Temporal, each within a deadline that includes the SDK's own retries. Blocking. */
public final class OperationClient implements OperationCalls, AutoCloseable {

  private final WorkflowClient client;
  private final String taskQueue;
  private final Duration deadline;
  private final ScheduledExecutorService timer;

  /**
   * @param taskQueue that the workers poll
   * @param deadline for each call
   */
  public OperationClient(WorkflowClient client, String taskQueue, Duration deadline) {
    this.client = client;
    this.taskQueue = taskQueue;
    this.deadline = deadline;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "temporal-deadline");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void start(ResourceRef resource, Start start) {
    if (start.run().type() == OperationType.DELETE) {
      signalWithStart(resource, start.run(), LaneSignals.DELETE);
    } else {
      signalWithStart(resource, start.run(), LaneSignals.RETARGET, start.newest());
    }
  }

  @Override
  public void signalOrStart(ResourceRef resource, Request request, NewRun otherwise) {
    signalWithStart(resource, otherwise, signal(request), arguments(request));
  }

  @Override
  public boolean signal(ResourceRef resource, Request request) {
    WorkflowStub stub = client.newUntypedWorkflowStub(resource.laneId());
    try {
      within(
          () -> {
            stub.signal(signal(request), arguments(request));
            return true;
          });
      return true;
    } catch (WorkflowNotFoundException none) {
      return false;
    }
  }

  private static String signal(Request request) {
    if (request instanceof Request.Rollback) {
      return LaneSignals.ROLLBACK;
    }
    return request instanceof Request.Retry ? LaneSignals.RETRY : LaneSignals.ABORT;
  }

  private static Object[] arguments(Request request) {
    return request instanceof Request.Retry ? new Object[0] : new Object[] {request.text()};
  }

  private void signalWithStart(
      ResourceRef resource, NewRun run, String signal, Object... arguments) {
    String type = OperationTable.workflowType(resource.kind(), run.type());
    WorkflowStub stub =
        client.newUntypedWorkflowStub(
            type,
            WorkflowOptions.newBuilder()
                .setTaskQueue(taskQueue)
                .setWorkflowId(resource.laneId())
                .setWorkflowIdConflictPolicy(
                    WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
                .setWorkflowIdReusePolicy(
                    WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
                .setTypedSearchAttributes(OperationAttributes.of(resource, type))
                .setStaticSummary(run.summary())
                .setStaticDetails(run.details())
                .build());
    Object[] input = {run.input(resource)};
    within(() -> stub.signalWithStart(signal, arguments, input));
  }

  @Override
  public boolean isOpen(ResourceRef resource) {
    WorkflowStub stub = client.newUntypedWorkflowStub(resource.laneId());
    try {
      return within(() -> stub.describe().getStatus())
          == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    } catch (WorkflowNotFoundException none) {
      return false;
    }
  }

  private <T> T within(Callable<T> call) {
    Context.CancellableContext context =
        Context.current()
            .withDeadline(Deadline.after(deadline.toMillis(), TimeUnit.MILLISECONDS), timer);
    try {
      return context.call(call);
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      context.cancel(null);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
