package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Awaited;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.time.Clock;
import java.util.Optional;

/** Whether a child has reached its newest spec, or never will. */
final class ChildWait {

  private final AwaitChildRequest request;
  private final long deadlineMs;
  private final BlueGreenStore store;
  private final SlotCheck slots;
  private final Clock clock;

  /**
   * @param deadlineMs when to answer in any case, by that clock
   */
  ChildWait(
      AwaitChildRequest request,
      long deadlineMs,
      BlueGreenStore store,
      SlotCheck slots,
      Clock clock) {
    this.request = request;
    this.deadlineMs = deadlineMs;
    this.store = store;
    this.slots = slots;
    this.clock = clock;
  }

  /** Blocks for a call. */
  ProbeResult<Awaited> look() {
    Optional<ChildSeen> child =
        store
            .see(request.resource(), request.color(), request.plannedFor())
            .map(it -> slots.look(request.resource(), it));
    boolean over =
        child.map(it -> isAnother(it) || isDecided(it.phase())).orElse(true)
            || clock.millis() >= deadlineMs
            || child.filter(this::hasOldBeside).isPresent();
    return over
        ? ProbeResult.done(new Awaited(child.orElse(null)))
        : ProbeResult.notYet(
            request.color().child(request.resource().name())
                + ": "
                + child.map(it -> ChildReading.words(it.phase())).orElse(""));
  }

  private boolean hasOldBeside(ChildSeen child) {
    BlueGreenStanding.Begun transition = request.plannedFor().transition();
    return transition != null
        && transition.to() == child.color()
        && child.hasJob()
        && store.runsBeside(request.resource(), request.plannedFor());
  }

  private boolean isAnother(ChildSeen child) {
    return !child.ours() || (request.seen() != null && !request.seen().equals(child.uid()));
  }

  private static boolean isDecided(Phase phase) {
    return !(phase instanceof Phase.Busy) && !(phase instanceof Phase.Held);
  }
}
