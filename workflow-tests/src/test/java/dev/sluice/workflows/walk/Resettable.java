package dev.sluice.workflows.walk;

import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationProgress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Temporal whose runs can be reset. */
interface Resettable extends Engine {

  /** What a reset does with the signals and cancellations that came after its point. */
  enum Reapply {
    /** They are sent again: what the Web UI and the CLI do unless told otherwise. */
    ALL,
    NONE
  }

  /** Carries out the activities of this lane from now on. */
  void add(Lane lane);

  /** The lane is not driven any more. */
  void remove(Lane lane);

  /**
   * Lets it go on for a moment.
   *
   * @return the next thing that the driver must know; null when nothing happened that it must
   */
  Lane.@Nullable Event goOn(Lane lane) throws InterruptedException;

  /** Lets others go on, from within an activity, until so many calls were made; or for a while. */
  void letOthersCall(Lane lane, int calls);

  /** The run of the activity that asks. */
  String runOfActivity(ResourceRef ref);

  /** What the run says of itself; null when there is none. */
  @Nullable OperationProgress progress(ResourceRef ref);

  /** What the lane waits for, to be read by a person. */
  default String waitsFor(ResourceRef ref) {
    return String.valueOf(progress(ref));
  }

  /** Events that a run can be reset to, in order. */
  List<Long> steps(ResourceRef ref, String runId);

  /** Ends what is open on the lane, and begins the run again from one of its {@link #steps}. */
  void reset(ResourceRef ref, String runId, long event, Reapply reapply);
}
