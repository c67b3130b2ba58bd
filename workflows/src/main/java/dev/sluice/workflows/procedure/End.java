package dev.sluice.workflows.procedure;

import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.plan.Decision;

/** How a target was reached, or why there was nothing to reach. */
sealed interface End {
  /** The target runs and is stable, or is suspended. */
  record Stable(Frozen target) implements End {}

  /** Nothing had to be done. */
  record Nothing(Decision why, long generation) implements End {}
}
