package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationAttributes;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import org.jspecify.annotations.Nullable;

/** The calls to Temporal about runs. */
public final class OperationClient implements OperationCalls {

  private final WorkflowClient client;
  private final String taskQueue;
  private final TemporalCalls calls;

  /**
   * @param taskQueue that the workers poll
   * @param calls stay the caller's to close
   */
  public OperationClient(WorkflowClient client, String taskQueue, TemporalCalls calls) {
    this.client = client;
    this.taskQueue = taskQueue;
    this.calls = calls;
  }

  @Override
  public void start(ResourceRef resource, EnsureOpen start) {
    if (start.run().type() == OperationType.DELETE) {
      signalWithStart(resource, start.run(), LaneSignals.DELETE);
    } else {
      signalWithStart(resource, start.run(), LaneSignals.RETARGET, start.newest());
    }
  }

  @Override
  public void ensureOpen(ResourceRef resource, NewRun run) {
    calls.within(() -> stub(resource, run).start(run.input()));
  }

  @Override
  public void signalOrStart(
      ResourceRef resource, Request request, NewRun otherwise, @Nullable Long newest) {
    if (newest != null) {
      signalWithStart(resource, otherwise, LaneSignals.RETARGET, newest);
    }
    signalWithStart(resource, otherwise, request.kind().signal(), arguments(request));
  }

  @Override
  public boolean signal(ResourceRef resource, Request request) {
    WorkflowStub stub = client.newUntypedWorkflowStub(resource.laneId());
    return calls.within(
        () -> {
          try {
            stub.signal(request.kind().signal(), arguments(request));
            return true;
          } catch (WorkflowNotFoundException none) {
            return false;
          }
        });
  }

  private static Object[] arguments(Request request) {
    return request.is(Request.Kind.RETRY) ? new Object[0] : new Object[] {request.text()};
  }

  private void signalWithStart(
      ResourceRef resource, NewRun run, String signal, Object... arguments) {
    calls.within(
        () -> stub(resource, run).signalWithStart(signal, arguments, new Object[] {run.input()}));
  }

  private WorkflowStub stub(ResourceRef resource, NewRun run) {
    return client.newUntypedWorkflowStub(
        run.workflow(),
        WorkflowOptions.newBuilder()
            .setTaskQueue(taskQueue)
            .setWorkflowId(resource.laneId())
            .setWorkflowIdConflictPolicy(
                WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
            .setWorkflowIdReusePolicy(
                WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
            .setTypedSearchAttributes(OperationAttributes.of(resource, run.workflow()))
            .setStaticSummary(run.summary())
            .setStaticDetails(run.details())
            .build());
  }
}
