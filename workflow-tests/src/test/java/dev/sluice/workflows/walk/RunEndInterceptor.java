package dev.sluice.workflows.walk;

import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.util.function.BiConsumer;

/** Tells that the code of a run has come to its end; the server knows it a moment later. */
final class RunEndInterceptor extends WorkerInterceptorBase {

  private final BiConsumer<String, String> ended;

  RunEndInterceptor(BiConsumer<String, String> ended) {
    this.ended = ended;
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public WorkflowOutput execute(WorkflowInput input) {
        WorkflowInfo info = Workflow.getInfo();
        try {
          return super.execute(input);
        } finally {
          ended.accept(info.getWorkflowId(), info.getRunId());
        }
      }
    };
  }
}
