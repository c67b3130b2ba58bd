package dev.sluice.workflows.application;

import java.util.EnumSet;
import java.util.Set;

/** What happens at one moment of a case. */
enum ApplicationAct {
  /** The call fails, and is made again: a worker is lost, or the answer. */
  CRASH,
  /** It fails until the step is given up. */
  FAIL_LONG,
  /** The effect is carried out twice. */
  TWICE,
  /** A worker that was thought to be lost carries it out once more, after two others. */
  ONCE_MORE,
  /** The run is terminated by hand, and the controller starts another one. */
  TERMINATE,
  /** The worker forgets the run and replays it. */
  FORGET,
  /** Temporal says that the run should go on in another one. */
  HISTORY_IS_LONG,
  /** The run begins again from its first step. */
  RESET_FIRST,
  /** The run begins again from a step in the middle. */
  RESET_MIDDLE,
  /** The run begins again from the step before. */
  RESET_LAST,
  ABORT,
  CANCEL,
  RETRY,
  DELETE,
  /** A signal sent by hand, of what Kubernetes knows nothing. */
  DELETE_BY_HAND,
  /** A generation that does not exist is asked for by hand. */
  RETARGET_BY_HAND,
  /** The spec changes again. */
  NEWER,
  /** The spec changes again, to one that fails. */
  NEWER_FAILS,
  /** The spec becomes what it was before. */
  REVERTED,
  INVALID,
  /** Only the generation changes. */
  SAME_AGAIN,
  FORCE_ROLLBACK,
  /** The resource is removed without its finalizer. */
  VANISH,
  DEPLOYED_FAILS,
  /** The JobManager of the deployed version is another process. */
  DEPLOYED_FORGETS,
  DEPLOYED_SILENT,
  DEPLOYED_REMOVED,
  DEPLOYED_LOSES_TASK_MANAGERS,
  /** The Deployment of the JobManager of the deployed version is deleted, and with it the job. */
  DEPLOYED_LOSES_JOB_MANAGER,
  /** The same, but its pod lives. */
  DEPLOYED_ORPHANED,
  TARGET_FAILS,
  TARGET_FORGETS,
  TARGET_SILENT,
  TARGET_REMOVED,
  TARGET_LOSES_TASK_MANAGERS,
  TARGET_LOSES_JOB_MANAGER,
  TARGET_ORPHANED;

  private static final Set<ApplicationAct> HARMLESS =
      EnumSet.of(
          CRASH,
          TWICE,
          ONCE_MORE,
          TERMINATE,
          FORGET,
          HISTORY_IS_LONG,
          RESET_FIRST,
          RESET_MIDDLE,
          RESET_LAST,
          DELETE_BY_HAND,
          RETARGET_BY_HAND);

  /** Whether the end must be the same as without it. */
  boolean isHarmless() {
    return HARMLESS.contains(this);
  }

  boolean isReset() {
    return this == RESET_FIRST || this == RESET_MIDDLE || this == RESET_LAST;
  }
}
