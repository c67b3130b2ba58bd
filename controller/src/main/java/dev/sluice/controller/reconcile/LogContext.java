package dev.sluice.controller.reconcile;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.resource.ResourceRef;
import org.slf4j.MDC;

/** While open, each line that this thread logs carries the resource and its lane. */
final class LogContext implements AutoCloseable {

  private static final String NAMESPACE = "resource.namespace";
  private static final String NAME = "resource.name";
  private static final String WORKFLOW = "WorkflowId";

  private LogContext() {}

  static LogContext of(FlinkDeployment resource) {
    ResourceRef ref = Pass.ref(resource);
    MDC.put(NAMESPACE, ref.namespace());
    MDC.put(NAME, ref.name());
    MDC.put(WORKFLOW, ref.laneId());
    return new LogContext();
  }

  @Override
  public void close() {
    MDC.remove(NAMESPACE);
    MDC.remove(NAME);
    MDC.remove(WORKFLOW);
  }
}
