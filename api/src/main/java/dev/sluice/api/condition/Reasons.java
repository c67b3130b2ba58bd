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
   * The cluster is being upgraded to a newer spec. Wait, or abort the upgrade with the annotation
   * sluice.dev/abort.
   */
  public static final String UPGRADING = "Upgrading";

  /** The job is being stopped, because spec.job.state is suspended; its state is kept. Wait. */
  public static final String SUSPENDING = "Suspending";

  /**
   * spec.job.state is suspended: no job runs, and what it left is recorded. To start it again, set
   * spec.job.state to running.
   */
  public static final String SUSPENDED = "Suspended";

  /** A suspended job is being started again from what it left. Wait. */
  public static final String RESUMING = "Resuming";

  /**
   * The last stable spec is being restored, because the upgrade was aborted after the job was
   * stopped. Wait; then correct the spec.
   */
  public static final String ROLLING_BACK = "RollingBack";

  /**
   * The operation was aborted; the previous spec runs. Apply another spec, or annotate with
   * sluice.dev/retry to try this one again.
   */
  public static final String ABORTED = "Aborted";

  /** The resource was deleted; its job and cluster are being removed. Wait. */
  public static final String DELETING = "Deleting";

  /**
   * The spec is invalid; the message lists each field with the rule it breaks. The running job is
   * not touched. Correct the spec.
   */
  public static final String INVALID_SPEC = "InvalidSpec";

  /**
   * The spec sets something that is not supported yet; the message names the field and what to use
   * instead. Change the spec.
   */
  public static final String NOT_SUPPORTED = "NotSupported";

  /**
   * The operation is parked: a step cannot succeed. Remove the cause and annotate with
   * sluice.dev/retry, or annotate with sluice.dev/abort, or apply another spec.
   */
  public static final String WAITING_FOR_OPERATOR = "WaitingForOperator";

  /**
   * The last operation failed. See status.operation.message; apply a corrected spec, or annotate
   * with sluice.dev/retry.
   */
  public static final String OPERATION_FAILED = "OperationFailed";

  /**
   * Temporal does not answer, so no operation can start or report. The running job is not touched;
   * work resumes when Temporal answers.
   */
  public static final String TEMPORAL_UNAVAILABLE = "TemporalUnavailable";

  /**
   * The spec is deployed, but not every task of its job runs. See status.jobStatus and the logs of
   * the JobManager.
   */
  public static final String JOB_NOT_RUNNING = "JobNotRunning";

  /**
   * The job is being brought back with the spec that is deployed. Wait, or see status.operation.
   */
  public static final String RECOVERING = "Recovering";

  /**
   * The job was brought back as often as that is tried, and was soon lost again. Remove the cause
   * and annotate with sluice.dev/retry, or apply another spec.
   */
  public static final String RECOVERY_LIMIT = "RecoveryLimit";

  /**
   * The JobManager Deployment is gone although the job should run. It is started again, unless that
   * is switched off or was given up: then annotate with sluice.dev/retry, with
   * sluice.dev/restore-from where its state cannot be found.
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

  /** The resource is new; no operation has started yet. Wait. */
  public static final String PENDING = "Pending";

  /** Progressing is False: no operation is running. Nothing to do. */
  public static final String IDLE = "Idle";

  /** Stalled is False: no action is required. */
  public static final String NOT_STALLED = "NotStalled";

  /**
   * The savepoint before the stop failed; the old job keeps running. See the message; annotate with
   * sluice.dev/retry or sluice.dev/abort.
   */
  public static final String SAVEPOINT_FAILED = "SavepointFailed";

  /** The state to start from is not known. Name it with sluice.dev/restore-from, and retry. */
  public static final String STATE_NOT_FOUND = "StateNotFound";

  /** The new job comes up, but is not stable in time: it keeps restarting. See its exceptions. */
  public static final String NOT_STABLE = "NotStable";

  /**
   * The new job was up, and its JobManager has not answered since for as long as a start may take:
   * it is not known whether it is stable. Look at the network and at its pod.
   */
  public static final String JOB_MANAGER_SILENT = "JobManagerSilent";

  /** The job takes no checkpoints, and what was requested needs one. Let it take some. */
  public static final String NO_CHECKPOINTS = "NoCheckpoints";

  /**
   * The new job does not report that it restored from the path it was given. Check its checkpoints
   * before you retry.
   */
  public static final String RESTORED_ELSEWHERE = "RestoredElsewhere";

  /**
   * The job failed after its start. See its exceptions in the Flink UI; correct the spec or abort.
   */
  public static final String JOB_FAILED = "JobFailed";

  /**
   * A step did not finish before its deadline. See the message for what it waited for; retry or
   * abort.
   */
  public static final String TIMED_OUT = "TimedOut";

  /** Pods of the old cluster are not deleted. See what holds them, then retry. */
  public static final String CLUSTER_NOT_GONE = "ClusterNotGone";

  /** A Kubernetes object of that name has another owner. Rename one of the two. */
  public static final String NAME_TAKEN = "NameTaken";

  /** Kubernetes rejected an object: quota, admission or rights. See the message, then retry. */
  public static final String REFUSED = "Refused";

  /** A pod cannot pull its image. Correct spec.image or the pull secret. */
  public static final String IMAGE_PULL_FAILED = "ImagePullFailed";

  /** A pod of the cluster cannot start or keeps crashing. See kubectl describe pod and its logs. */
  public static final String POD_FAILED = "PodFailed";

  /**
   * A container used more memory than its limit, and was killed. Raise the memory of JobManager or
   * TaskManager, or make the job hold less.
   */
  public static final String OOM_KILLED = "OOMKilled";

  /** A container crashes again and again. See its log with kubectl logs --previous. */
  public static final String CRASH_LOOP = "CrashLoopBackOff";

  /** A container needs a Secret or ConfigMap that is not there. Create it, or correct the spec. */
  public static final String CREATE_CONTAINER_CONFIG_ERROR = "CreateContainerConfigError";

  /** A container cannot be made: mounts, names. See kubectl describe pod; correct the spec. */
  public static final String CREATE_CONTAINER_ERROR = "CreateContainerError";

  /** A container's process cannot be started: command, mounts. Correct image or pod template. */
  public static final String RUN_CONTAINER_ERROR = "RunContainerError";

  /** Kubernetes refuses the JobManager pod: quota, admission. Remove what refuses it. */
  public static final String FAILED_CREATE = "FailedCreate";

  /** No node takes a pod. Add nodes, or request less. */
  public static final String UNSCHEDULABLE = "Unschedulable";

  /**
   * The cluster runs jobs that do not belong to the resource. Cancel them, or move them to another
   * cluster.
   */
  public static final String OTHER_JOBS = "OtherJobs";

  /**
   * The worker that took the task serves another Kubernetes cluster. Each Kubernetes cluster needs
   * its own task queue: check SLUICE_TASK_QUEUE of the workers.
   */
  public static final String WRONG_KUBERNETES = "WrongKubernetes";

  /** A step fails for a reason that may pass, and is retried automatically. See the message. */
  public static final String BLOCKED = "Blocked";

  private Reasons() {}
}
