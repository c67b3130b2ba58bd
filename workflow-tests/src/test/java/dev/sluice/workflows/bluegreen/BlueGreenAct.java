package dev.sluice.workflows.bluegreen;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What happens at one moment of a case. */
enum BlueGreenAct {
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
  /** The run is reset to a step that it has done. */
  RESET,
  ABORT,
  CANCEL,
  RETRY,
  DELETE,
  /** A signal sent by hand, of what Kubernetes knows nothing. */
  DELETE_BY_HAND,
  /** A generation that does not exist is asked for by hand. */
  RETARGET_BY_HAND,
  /** The spec changes again, so that it needs a new child. */
  NEWER,
  /** The spec becomes what it was before. */
  REVERTED,
  /** The spec says that the job is suspended. */
  SUSPENDED,
  /** The spec changes in what the live child takes over. */
  PATCHED,
  INVALID,
  /** The grace period changes, which no child would see. */
  CONFIGURED,
  /** Only the generation changes. */
  SAME_AGAIN,
  /** The resource is removed without its finalizer. */
  VANISH,
  LIVE_FAILS,
  LIVE_RESTARTS,
  LIVE_DELETED,
  /** A person has the live job run, that was stopped. */
  LIVE_RESUMED,
  OTHER_FAILS,
  OTHER_DELETED,
  /** A person suspends the child that comes. */
  OTHER_SUSPENDED;

  private static final Set<BlueGreenAct> HARMLESS =
      EnumSet.of(
          CRASH,
          TWICE,
          ONCE_MORE,
          TERMINATE,
          FORGET,
          HISTORY_IS_LONG,
          RESET,
          DELETE_BY_HAND,
          RETARGET_BY_HAND);

  /** All that are tried at each moment; a reset has its own. */
  static List<BlueGreenAct> all() {
    return Stream.of(values()).filter(it -> it != RESET).toList();
  }

  /** Whether the end must be the same as without it. */
  boolean isHarmless() {
    return HARMLESS.contains(this);
  }
}
