package dev.sluice.controller.deployment;

import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.Request;

/** Decisions in a few words, for tables: {@code Upgrade 7 unless open}. */
public final class DecisionText {

  private DecisionText() {}

  static String of(Deployed given) {
    return of(JobPlanner.decide(given.snapshot()));
  }

  /** As {@link #of(Deployed)}, of what was decided for any kind. */
  public static String of(ReconcileAction decision) {
    if (decision instanceof EnsureOpen start) {
      return start.run().type()
          + (start.run().input().keepsCluster() ? " by a note" : "")
          + " "
          + start.newest()
          + (start.unlessOpen() ? " unless open" : "")
          + (start.request() == null ? "" : " for " + of(start.request()));
    }
    if (decision instanceof Signal signal) {
      NewRun otherwise = signal.otherwise();
      return of(signal.request())
          + (otherwise == null ? "" : " else " + otherwise.type() + " " + otherwise.generation());
    }
    if (decision instanceof RemoveFinalizer remove) {
      return remove.forced() ? "let go by force" : "let go";
    }
    return "nothing";
  }

  private static String of(Request request) {
    return request.kind().annotation().replace("sluice.dev/", "") + " " + request.text();
  }
}
