package dev.sluice.api.condition;

/**
 * Reasons of the Kubernetes events on a resource. Those that Apache's operator sends too have its
 * spelling.
 */
public final class EventReasons {
  /** Warning: the spec is invalid; the message lists each field. Correct it. */
  public static final String VALIDATION_ERROR = "ValidationError";

  /** Normal: the spec has settings without effect; the message lists them. */
  public static final String FIELDS_IGNORED = "FieldsIgnored";

  /** Normal: the Ingress was made, changed, put right or removed; the job goes on. */
  public static final String INGRESS_CHANGED = "IngressChanged";

  /** Normal: labels or annotations of a Service were changed; the job goes on. */
  public static final String SERVICE_CHANGED = "ServiceChanged";

  /** Normal: an upgrade to a newer spec starts; the message lists the changed fields. */
  public static final String SPEC_CHANGED = "SpecChanged";

  /** Normal: the first deployment starts. */
  public static final String SUBMIT = "Submit";

  /** Normal: the job was stopped; the message names its savepoint. */
  public static final String SUSPENDED = "Suspended";

  /** Normal: the JobManager of a job that has ended was scaled to 0; the message names the job. */
  public static final String JOB_MANAGER_STOPPED = "JobManagerStopped";

  /**
   * Normal: the job went from one state of Flink to another by itself. Warning: it has failed; the
   * message has the root cause.
   */
  public static final String JOB_STATUS_CHANGED = "JobStatusChanged";

  /**
   * Warning: the job failed, or restarted, with this exception; the message has the root cause, the
   * task, the TaskManager and where it was thrown.
   */
  public static final String JOB_EXCEPTION = "JobException";

  /**
   * Warning: its JobManager was restarted without high availability, so that Flink began the job
   * again from what it was first started with.
   */
  public static final String JOB_BEGUN_AGAIN = "JobBegunAgain";

  /** Warning: jobs that ran on a session cluster before an upgrade are not on it since. */
  public static final String JOBS_NOT_BACK = "JobsNotBack";

  /** Warning: a requested savepoint was not taken; the message says why. */
  public static final String SAVEPOINT_ERROR = "SavepointError";

  /** Warning: the newest checkpoints of a job that runs have failed, one after the other. */
  public static final String CHECKPOINT_ERROR = "CheckpointError";

  /** Normal: a FlinkStateSnapshot was made, because the spec asks for it; the message names it. */
  public static final String SNAPSHOT_REQUESTED = "SnapshotRequested";

  /**
   * Normal: a periodic FlinkStateSnapshot was deleted: there are enough newer, or it is too old.
   */
  public static final String SNAPSHOT_REMOVED = "SnapshotRemoved";

  /** Normal: a FlinkStateSnapshot was taken; the message says where it is. */
  public static final String SNAPSHOT_COMPLETED = "SnapshotCompleted";

  /**
   * Warning: an attempt to take a FlinkStateSnapshot failed, or one that the spec asks for cannot
   * be made; the message says why.
   */
  public static final String SNAPSHOT_ERROR = "SnapshotError";

  /** Warning: a FlinkStateSnapshot was given up, because its job is gone, or it was aborted. */
  public static final String SNAPSHOT_ABANDONED = "SnapshotAbandoned";

  /** Normal: there are more or fewer TaskManagers now; the job goes on. */
  public static final String SCALING = "Scaling";

  /** Warning: the last stable spec is being restored. */
  public static final String ROLLBACK = "Rollback";

  /** Normal: the resource was deleted and its cluster is being removed. */
  public static final String CLEANUP = "Cleanup";

  /** Warning: something could not be removed; the message says what and what to do. */
  public static final String CLEANUP_FAILED = "CleanupFailed";

  /** Warning: the JobManager Deployment is missing although the job should run. */
  public static final String MISSING = "Missing";

  /** Warning: a job whose JobManager Deployment is missing, or that failed, is started again. */
  public static final String RECOVER_DEPLOYMENT = "RecoverDeployment";

  /** Warning: a job that is not healthy is started again; the message says what is wrong. */
  public static final String RESTART_UNHEALTHY_JOB = "RestartUnhealthyJob";

  /** Warning: a step fails for a reason that may pass; it is tried again by itself. */
  public static final String BLOCKED = "Blocked";

  /** Warning: an operation is parked; the message says what to do. */
  public static final String PARKED = "Parked";

  /** Normal: an operation was aborted; the message says what runs now. */
  public static final String OPERATION_ABORTED = "OperationAborted";

  /** Normal: an annotation (abort, retry) was sent to the running operation. */
  public static final String REQUEST_SENT = "RequestSent";

  /** Warning: an annotation (abort, retry) was ignored, because no operation is running. */
  public static final String REQUEST_IGNORED = "RequestIgnored";

  /** Warning: Temporal does not answer; operations are delayed. */
  public static final String TEMPORAL_UNAVAILABLE = "TemporalUnavailable";

  /** A change of the parallelism is an upgrade, and why. */
  public static final String NOT_IN_PLACE = "NotInPlace";

  /** Warning: somebody changed the live child of a FlinkBlueGreenDeployment. */
  public static final String CHILD_EDITED = "ChildEdited";

  private EventReasons() {}
}
