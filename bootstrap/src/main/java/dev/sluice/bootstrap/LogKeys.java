package dev.sluice.bootstrap;

/**
 * The MDC keys of every log line that is about a resource or a run. They are those that JOSDK and
 * Temporal's SDK set by themselves, so that their lines carry them too.
 */
public final class LogKeys {

  /** Namespace of the resource, as JOSDK names it. */
  public static final String NAMESPACE = "resource.namespace";

  /** Name of the resource, as JOSDK names it. */
  public static final String NAME = "resource.name";

  /** Temporal's workflow id, as its SDK names it. */
  public static final String WORKFLOW_ID = "WorkflowId";

  private LogKeys() {}
}
