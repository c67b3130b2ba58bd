package dev.sluice.controller.common;

import dev.sluice.workflows.model.ResourceRef;
import org.slf4j.MDC;

/** While open, each line that this thread logs carries the resource and its workflow id. */
public final class LogContext implements AutoCloseable {

  private static final String NAMESPACE = "resource.namespace";
  private static final String NAME = "resource.name";
  private static final String WORKFLOW = "WorkflowId";

  private LogContext() {}

  /** Opens one for this thread. */
  public static LogContext of(ResourceRef resource) {
    MDC.put(NAMESPACE, resource.namespace());
    MDC.put(NAME, resource.name());
    MDC.put(WORKFLOW, resource.laneId());
    return new LogContext();
  }

  @Override
  public void close() {
    MDC.remove(NAMESPACE);
    MDC.remove(NAME);
    MDC.remove(WORKFLOW);
  }
}
