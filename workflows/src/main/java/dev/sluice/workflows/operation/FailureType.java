package dev.sluice.workflows.operation;

import dev.sluice.api.condition.Reasons;

/**
 * Types of the failures that activities end with. They are API: they show in Temporal's UI, in
 * {@code status.operation.reason}, in conditions (as the {@link Reasons} they are) and in the
 * documentation. None of these is retried by the engine unless its description says so; the run
 * parks at them.
 */
public final class FailureType {

  /** The savepoint failed and the old job runs on. The engine tries it a few times first. */
  public static final String SAVEPOINT_FAILED = Reasons.SAVEPOINT_FAILED;

  /** The job is stopped or unreachable and no savepoint or checkpoint of it can be found. */
  public static final String STATE_NOT_FOUND = Reasons.STATE_NOT_FOUND;

  /** The job reached FAILED (its main method threw, or its restart strategy gave up). */
  public static final String JOB_FAILED = Reasons.JOB_FAILED;

  /** The cluster did not come up: image, crash loop, missing volume, no room for TaskManagers. */
  public static final String CLUSTER_NOT_READY = Reasons.CLUSTER_NOT_READY;

  /** The job runs, but says that it was restored from something else than it was given. */
  public static final String RESTORED_ELSEWHERE = Reasons.RESTORED_ELSEWHERE;

  /** The old cluster's pods did not go away in time. */
  public static final String CLUSTER_NOT_GONE = Reasons.CLUSTER_NOT_GONE;

  /** A Kubernetes object of that name belongs to somebody else. */
  public static final String NAME_TAKEN = Reasons.NAME_TAKEN;

  /** Kubernetes refused what was applied (quota, admission, missing rights). */
  public static final String REFUSED = Reasons.REFUSED;

  /** The resource, or this instance of it, does not exist any more. Ends the run. */
  public static final String RESOURCE_GONE = "ResourceGone";

  /** A step took longer than it may. */
  public static final String TIMED_OUT = Reasons.TIMED_OUT;

  private FailureType() {}
}
