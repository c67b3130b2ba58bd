package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.Point.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Does something once at one moment of one call, in the activity: so the activity that is in flight
 * then ends after it. It may be held back until the run that was reset has made some calls.
 */
final class ResetScript implements Script {

  private final Resettable server;
  private @Nullable Plan plan;

  ResetScript(Resettable server) {
    this.server = server;
  }

  /** What is done when. */
  private record Plan(int call, Moment moment, int late, Runnable action) {}

  /**
   * @param call which call of the lane, from 1
   * @param late how many calls others make before this one goes on
   */
  synchronized void at(int call, Moment moment, int late, Runnable action) {
    plan = new Plan(call, moment, late, action);
  }

  @Override
  public void at(Lane lane, Point point) {
    Plan now = take(point);
    if (now != null) {
      lane.asksWhetherItIsWanted();
      now.action().run();
      if (now.late() > 0) {
        server.letOthersCall(lane, lane.steps().size() + now.late());
      }
    }
  }

  private synchronized @Nullable Plan take(Point point) {
    Plan now = plan;
    if (now == null || now.call() != point.call() || now.moment() != point.moment()) {
      return null;
    }
    plan = null;
    return now;
  }
}
