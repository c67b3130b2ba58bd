package dev.sluice.api.condition;

/**
 * Reasons in conditions and in {@code status.operation.reason}. They do not change between
 * releases.
 */
public final class Reasons {
  /** Ready: the newest spec is deployed and its job runs. Nothing to do. */
  public static final String UP_TO_DATE = "UpToDate";

  /** The cluster is being created for the first time. Wait, or watch status.operation. */
  public static final String DEPLOYING = "Deploying";

  /**
   * A newer spec is being brought to the cluster. Wait, or call it off with the annotation
   * sluice.dev/abort.
   */
  public static final String UPGRADING = "Upgrading";

  /**
   * The last stable spec is being restored because the newer one failed. Wait; then correct the
   * spec.
   */
  public static final String ROLLING_BACK = "RollingBack";

  /** An operation was called off and is ending in a safe state. Wait. */
  public static final String ABORTING = "Aborting";

  /**
   * An operation was called off; the spec before it runs. Apply a spec to go on, or
   * sluice.dev/retry to try this one again.
   */
  public static final String ABORTED = "Aborted";

  /** The resource was deleted; its job and cluster are being removed. Wait. */
  public static final String DELETING = "Deleting";

  /**
   * The spec breaks rules listed in the message with their field paths. What ran goes on untouched;
   * correct the spec.
   */
  public static final String INVALID_SPEC = "InvalidSpec";

  /**
   * The spec asks for an upgradeMode that is not supported yet. Use savepoint, or stateless if the
   * state is not needed.
   */
  public static final String UPGRADE_MODE_NOT_SUPPORTED = "UpgradeModeNotSupported";

  /**
   * The spec asks for something that is not supported yet; the message names field and alternative.
   * Change the spec.
   */
  public static final String NOT_SUPPORTED = "NotSupported";

  /**
   * Parked: a step cannot succeed. Remove the cause and annotate with sluice.dev/retry, or
   * sluice.dev/abort, or apply another spec.
   */
  public static final String WAITING_FOR_OPERATOR = "WaitingForOperator";

  /**
   * The last operation ended without reaching its target. See status.operation.message; apply a
   * corrected spec, or annotate with sluice.dev/retry.
   */
  public static final String OPERATION_FAILED = "OperationFailed";

  /**
   * Temporal does not answer, so no operation can start or be seen. What runs goes on; work resumes
   * when it is back.
   */
  public static final String TEMPORAL_UNAVAILABLE = "TemporalUnavailable";

  /**
   * The spec is deployed, but not every task of its job runs. See status.jobStatus and the logs of
   * the JobManager.
   */
  public static final String JOB_NOT_RUNNING = "JobNotRunning";

  /**
   * The JobManager Deployment is gone although the job should run. Annotate with sluice.dev/retry
   * to start it again, with sluice.dev/restore-from where its state cannot be found.
   */
  public static final String JOB_MANAGER_MISSING = "JobManagerMissing";

  /** Ready: the newest spec is deployed and its job has finished by itself. Nothing to do. */
  public static final String JOB_FINISHED = "JobFinished";

  /** The JobManager of a finished job is being stopped, so that the job is not run again. Wait. */
  public static final String FINISHING = "Finishing";

  /**
   * The API server refuses the status that was to be written, so that only this condition could be.
   * See the message; please report it as a bug.
   */
  public static final String STATUS_REFUSED = "StatusRefused";

  /** The JobManager does not answer yet, or no longer. See its pod with kubectl describe. */
  public static final String CLUSTER_NOT_READY = "ClusterNotReady";

  /** Running: Flink says that the job is RUNNING. */
  public static final String RUNNING = "Running";

  /** Seen, nothing has begun yet. Wait. */
  public static final String PENDING = "Pending";

  /** Progressing is False: no operation is open. Nothing to do. */
  public static final String IDLE = "Idle";

  /** Stalled is False: nothing waits for a person. */
  public static final String NOT_STALLED = "NotStalled";

  /**
   * The savepoint before the stop failed; the old job goes on. See the message; annotate with
   * sluice.dev/retry or sluice.dev/abort.
   */
  public static final String SAVEPOINT_FAILED = "SavepointFailed";

  /**
   * The state to start from cannot be found. Make it readable and retry, or name another in
   * job.initialSavepointPath.
   */
  public static final String STATE_NOT_FOUND = "StateNotFound";

  /**
   * The new job does not say that it restored from the path it was given. Look at its checkpoints
   * before going on.
   */
  public static final String RESTORED_ELSEWHERE = "RestoredElsewhere";

  /**
   * The job failed after it was started. See its exceptions in the Flink UI; correct the spec or
   * abort.
   */
  public static final String JOB_FAILED = "JobFailed";

  /**
   * A step was not done by its deadline. See the message for what it waited for; retry or abort.
   */
  public static final String TIMED_OUT = "TimedOut";

  /** Pods of the old cluster do not go away. See what holds them, then retry. */
  public static final String CLUSTER_NOT_GONE = "ClusterNotGone";

  /** A Kubernetes object of that name belongs to somebody else. Rename one of the two. */
  public static final String NAME_TAKEN = "NameTaken";

  /** Kubernetes refused what was applied: quota, admission, rights. See the message, then retry. */
  public static final String REFUSED = "Refused";

  /** A pod cannot get its image. Correct spec.image or the pull secret. */
  public static final String IMAGE_PULL_FAILED = "ImagePullFailed";

  /** A pod of the cluster cannot start or keeps crashing. See kubectl describe pod and its logs. */
  public static final String POD_FAILED = "PodFailed";

  /**
   * Something the resource owned could not be removed. See the message; it is tried again at
   * sluice.dev/retry.
   */
  public static final String CLEANUP_FAILED = "CleanupFailed";

  /**
   * Other live jobs are on the cluster than the resource's own. Cancel them, or move them
   * elsewhere.
   */
  public static final String OTHER_JOBS = "OtherJobs";

  /**
   * The worker that took the work serves another Kubernetes cluster. Give each Kubernetes cluster
   * workers of its own: the same SLUICE_TASK_QUEUE must not be polled from two.
   */
  public static final String WRONG_KUBERNETES = "WrongKubernetes";

  /** A step fails for a reason that may pass. It is tried again by itself; see the message. */
  public static final String BLOCKED = "Blocked";

  private Reasons() {}
}
