package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationTable;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.time.Duration;

/** The calls to Temporal, each within a deadline that includes the SDK's own retries. Blocking. */
public final class OperationClient implements OperationCalls, AutoCloseable {

  private final WorkflowClient client;
  private final String taskQueue;
  private final TimedCalls calls;

  /**
   * @param taskQueue that the workers poll
   * @param deadline for each call
   */
  public OperationClient(WorkflowClient client, String taskQueue, Duration deadline) {
    this.client = client;
    this.taskQueue = taskQueue;
    this.calls = new TimedCalls(deadline);
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
      calls.within(
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
    calls.within(() -> stub.signalWithStart(signal, arguments, input));
  }

  @Override
  public boolean isOpen(ResourceRef resource) {
    WorkflowStub stub = client.newUntypedWorkflowStub(resource.laneId());
    try {
      return calls.within(() -> stub.describe().getStatus())
          == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    } catch (WorkflowNotFoundException none) {
      return false;
    }
  }

  @Override
  public void close() {
    calls.close();
  }
}
