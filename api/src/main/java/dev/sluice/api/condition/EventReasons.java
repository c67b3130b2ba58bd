package dev.sluice.api.condition;

/**
 * Reasons of the Kubernetes events on a resource. Those that Apache's operator sends too have its
 * spelling. Type and meaning of each are in docs/troubleshooting.md.
 */
public final class EventReasons {
  public static final String VALIDATION_ERROR = "ValidationError";
  public static final String FIELDS_IGNORED = "FieldsIgnored";
  public static final String INGRESS_CHANGED = "IngressChanged";
  public static final String SERVICE_CHANGED = "ServiceChanged";
  public static final String SPEC_CHANGED = "SpecChanged";
  public static final String SUBMIT = "Submit";
  public static final String SUSPENDED = "Suspended";
  public static final String JOB_STATUS_CHANGED = "JobStatusChanged";
  public static final String JOB_EXCEPTION = "JobException";
  public static final String JOB_BEGUN_AGAIN = "JobBegunAgain";
  public static final String SAVEPOINT_ERROR = "SavepointError";
  public static final String SNAPSHOT_REQUESTED = "SnapshotRequested";
  public static final String SNAPSHOT_REMOVED = "SnapshotRemoved";
  public static final String SNAPSHOT_COMPLETED = "SnapshotCompleted";
  public static final String SNAPSHOT_ERROR = "SnapshotError";
  public static final String SNAPSHOT_ABANDONED = "SnapshotAbandoned";
  public static final String SCALING = "Scaling";
  public static final String ROLLBACK = "Rollback";
  public static final String CLEANUP = "Cleanup";
  public static final String CLEANUP_FAILED = "CleanupFailed";
  public static final String MISSING = "Missing";
  public static final String RECOVER_DEPLOYMENT = "RecoverDeployment";
  public static final String RESTART_UNHEALTHY_JOB = "RestartUnhealthyJob";
  public static final String BLOCKED = "Blocked";
  public static final String PARKED = "Parked";
  public static final String OPERATION_ABORTED = "OperationAborted";
  public static final String REQUEST_SENT = "RequestSent";
  public static final String REQUEST_IGNORED = "RequestIgnored";
  public static final String TEMPORAL_UNAVAILABLE = "TemporalUnavailable";
  public static final String NOT_IN_PLACE = "NotInPlace";
  public static final String CHILD_EDITED = "ChildEdited";

  private EventReasons() {}
}
