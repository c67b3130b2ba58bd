package dev.sluice.api.condition;

/**
 * Reasons of the Kubernetes events on a resource. Those Apache's operator also sends keep its
 * spelling.
 */
public final class EventReasons {
  /** Warning: the spec is invalid; the message lists each field. Correct it. */
  public static final String VALIDATION_ERROR = "ValidationError";

  /** Normal: the spec has fields without effect; the message lists them. */
  public static final String FIELDS_IGNORED = "FieldsIgnored";

  /** Normal: a newer spec was seen; the message lists the changed fields. */
  public static final String SPEC_CHANGED = "SpecChanged";

  /** Normal: an operation was started for the resource. */
  public static final String SUBMIT = "Submit";

  /** Normal: the job was stopped; the message names its savepoint. */
  public static final String SUSPENDED = "Suspended";

  /**
   * Normal: the job went from one state of Flink to another by itself. Warning: it has failed; the
   * message has the root cause.
   */
  public static final String JOB_STATUS_CHANGED = "JobStatusChanged";

  /** Warning: there is no savepoint where one was asked for; the message says why. */
  public static final String SAVEPOINT_ERROR = "SavepointError";

  /** Warning: the last stable spec is being restored. */
  public static final String ROLLBACK = "Rollback";

  /** Normal: the resource was deleted and its cluster is being removed. */
  public static final String CLEANUP = "Cleanup";

  /** Warning: something could not be removed; the message says what and what to do. */
  public static final String CLEANUP_FAILED = "CleanupFailed";

  /** Warning: the JobManager Deployment is gone although it should be there. */
  public static final String MISSING = "Missing";

  /** Warning: an operation waits for a person; the message says for what. */
  public static final String PARKED = "Parked";

  /** Normal: an operation reached its target. */
  public static final String OPERATION_SUCCEEDED = "OperationSucceeded";

  /** Normal: an operation was called off and ended in a safe state. */
  public static final String OPERATION_ABORTED = "OperationAborted";

  /** Warning: an operation ended without reaching its target. */
  public static final String OPERATION_FAILED = "OperationFailed";

  /** Normal: an annotation (abort, retry) was handed to the operation in flight. */
  public static final String REQUEST_SENT = "RequestSent";

  /** Warning: an annotation (abort, retry) had no operation to act on. */
  public static final String REQUEST_IGNORED = "RequestIgnored";

  /** Warning: Temporal does not answer; operations wait. */
  public static final String TEMPORAL_UNAVAILABLE = "TemporalUnavailable";

  private EventReasons() {}
}
