package dev.sluice.api.condition;

/**
 * Reasons in conditions and in {@code status.operation.reason}. They do not change between
 * releases. The meaning of each, and what to do, is in docs/troubleshooting.md.
 */
public final class Reasons {
  public static final String UP_TO_DATE = "UpToDate";
  public static final String DEPLOYING = "Deploying";
  public static final String UPGRADING = "Upgrading";
  public static final String SUSPENDING = "Suspending";
  public static final String SUSPENDED = "Suspended";
  public static final String RESUMING = "Resuming";
  public static final String ROLLING_BACK = "RollingBack";
  public static final String ABORTED = "Aborted";
  public static final String DELETING = "Deleting";
  public static final String INVALID_SPEC = "InvalidSpec";
  public static final String NOT_SUPPORTED = "NotSupported";
  public static final String WAITING_FOR_OPERATOR = "WaitingForOperator";
  public static final String OPERATION_FAILED = "OperationFailed";
  public static final String TEMPORAL_UNAVAILABLE = "TemporalUnavailable";
  public static final String JOB_NOT_RUNNING = "JobNotRunning";
  public static final String RECOVERING = "Recovering";
  public static final String RECOVERY_LIMIT = "RecoveryLimit";
  public static final String JOB_MANAGER_MISSING = "JobManagerMissing";
  public static final String JOB_FINISHED = "JobFinished";
  public static final String STATUS_REFUSED = "StatusRefused";
  public static final String CLUSTER_NOT_READY = "ClusterNotReady";
  public static final String RUNNING = "Running";
  public static final String PENDING = "Pending";
  public static final String IDLE = "Idle";
  public static final String NOT_STALLED = "NotStalled";
  public static final String SAVEPOINT_FAILED = "SavepointFailed";
  public static final String STATE_NOT_FOUND = "StateNotFound";
  public static final String NOT_STABLE = "NotStable";
  public static final String JOB_MANAGER_SILENT = "JobManagerSilent";
  public static final String RESTORED_ELSEWHERE = "RestoredElsewhere";
  public static final String JOB_FAILED = "JobFailed";
  public static final String TIMED_OUT = "TimedOut";
  public static final String CLUSTER_NOT_GONE = "ClusterNotGone";
  public static final String NAME_TAKEN = "NameTaken";
  public static final String REFUSED = "Refused";
  public static final String IMAGE_PULL_FAILED = "ImagePullFailed";
  public static final String POD_FAILED = "PodFailed";
  public static final String OOM_KILLED = "OOMKilled";
  public static final String CRASH_LOOP = "CrashLoopBackOff";
  public static final String CREATE_CONTAINER_CONFIG_ERROR = "CreateContainerConfigError";
  public static final String CREATE_CONTAINER_ERROR = "CreateContainerError";
  public static final String RUN_CONTAINER_ERROR = "RunContainerError";
  public static final String FAILED_CREATE = "FailedCreate";
  public static final String UNSCHEDULABLE = "Unschedulable";
  public static final String OTHER_JOBS = "OtherJobs";
  public static final String WRONG_KUBERNETES = "WrongKubernetes";
  public static final String BLOCKED = "Blocked";
  public static final String SNAPSHOT_COMPLETED = "SnapshotCompleted";
  public static final String SNAPSHOT_IN_PROGRESS = "SnapshotInProgress";
  public static final String SNAPSHOT_FAILED = "SnapshotFailed";
  public static final String SNAPSHOT_ABANDONED = "SnapshotAbandoned";

  private Reasons() {}
}
