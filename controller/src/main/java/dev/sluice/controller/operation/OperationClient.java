package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.deployment.Decision.Start;
import dev.sluice.controller.deployment.Request;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.resource.ResourceRef;
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
public final class OperationClient implements AutoCloseable {

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

  /** Signal-with-start: an open run of any type is told, else one is started. */
  void start(ResourceRef resource, Start start) {
    String type = start.type().wire();
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
                .setStaticSummary(start.summary())
                .setStaticDetails(start.details())
                .build());
    boolean delete = start.type() == OperationType.DELETE;
    Object[] input = {OperationInput.of(resource, start.generation(), start.summary())};
    Object[] signal = delete ? new Object[0] : new Object[] {start.generation()};
    within(
        () ->
            stub.signalWithStart(
                delete ? LaneSignals.DELETE : LaneSignals.RETARGET, signal, input));
  }

  /** Whether a run is open on the lane. */
  boolean isOpen(ResourceRef resource) {
    WorkflowStub stub = client.newUntypedWorkflowStub(resource.laneId());
    try {
      return within(() -> stub.describe().getStatus())
          == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    } catch (WorkflowNotFoundException none) {
      return false;
    }
  }

  /**
   * Hands a request to the open run.
   *
   * @return false when none is open
   */
  boolean signal(ResourceRef resource, Request request) {
    WorkflowStub stub = client.newUntypedWorkflowStub(resource.laneId());
    try {
      within(
          () -> {
            if (request instanceof Request.Abort) {
              stub.signal(LaneSignals.ABORT, request.text());
            } else {
              stub.signal(LaneSignals.RETRY);
            }
            return true;
          });
      return true;
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
