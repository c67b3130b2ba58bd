package dev.sluice.workflows.activity;

import dev.sluice.api.condition.Reasons;

/**
 * Types of the failures that activities end with. They are API: they show in Temporal's UI, in
 * {@code status.operation.reason}, in conditions (as the {@link Reasons} they are) and in the
 * documentation.
 */
public final class FailureType {

  /** The savepoint failed several times; the job was seen running afterwards. */
  public static final String SAVEPOINT_FAILED = Reasons.SAVEPOINT_FAILED;

  /** The job is stopped or unreachable and no savepoint or checkpoint of it can be found. */
  public static final String STATE_NOT_FOUND = Reasons.STATE_NOT_FOUND;

  /** The job reached FAILED (its main method threw, or its restart strategy gave up). */
  public static final String JOB_FAILED = Reasons.JOB_FAILED;

  /** The cluster did not come up in time: no room for TaskManagers, tasks that do not start. */
  public static final String CLUSTER_NOT_READY = Reasons.CLUSTER_NOT_READY;

  /** Every task was up, but the job did not become stable in time. May pass. */
  public static final String NOT_STABLE = Reasons.NOT_STABLE;

  /** A job that was up cannot be asked whether it is stable. May pass. */
  public static final String JOB_MANAGER_SILENT = Reasons.JOB_MANAGER_SILENT;

  /** A pod cannot get its image. May pass. */
  public static final String IMAGE_PULL_FAILED = Reasons.IMAGE_PULL_FAILED;

  /** A pod cannot start, or keeps crashing. May pass. */
  public static final String POD_FAILED = Reasons.POD_FAILED;

  /** The job runs, but says that it was restored from something else than it was given. */
  public static final String RESTORED_ELSEWHERE = Reasons.RESTORED_ELSEWHERE;

  /** The old cluster's pods did not go away in time. */
  public static final String CLUSTER_NOT_GONE = Reasons.CLUSTER_NOT_GONE;

  /** A Kubernetes object of that name belongs to somebody else. */
  public static final String NAME_TAKEN = Reasons.NAME_TAKEN;

  /** Kubernetes refuses an object: quota, admission, missing rights. May pass. */
  public static final String REFUSED = Reasons.REFUSED;

  /** Other live jobs are on the cluster than the resource's own. */
  public static final String OTHER_JOBS = Reasons.OTHER_JOBS;

  /**
   * The cluster, the job or the frozen target is not the one that the request was made for, so
   * nothing was done. The workflow observes and plans again.
   */
  public static final String OUTDATED = "Outdated";

  /** The resource, or this instance of it, does not exist any more. Ends the run. */
  public static final String RESOURCE_GONE = "ResourceGone";

  /** The worker serves another Kubernetes cluster than the resource's. May pass: another worker. */
  public static final String WRONG_KUBERNETES = Reasons.WRONG_KUBERNETES;

  /** A step took longer than it may. */
  public static final String TIMED_OUT = Reasons.TIMED_OUT;

  private FailureType() {}
}
