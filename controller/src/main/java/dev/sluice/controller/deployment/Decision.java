package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.validation.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be done about a resource now. Doing it twice is harmless. */
public sealed interface Decision {

  /** Nothing. */
  record Nothing() implements Decision {}

  /**
   * Have a run open on the lane that goes for this generation: a new one, or the one that is open
   * is told.
   *
   * @param type of the run, when a new one is started: Deploy, Upgrade or Delete
   * @param generation to reach
   * @param summary one line for Temporal's UI
   * @param details Markdown for Temporal's UI
   * @param unlessOpen an open run knows all this already: only make sure that there is one
   * @param answering the request that this answers; null when the spec asks for it
   */
  record Start(
      OperationType type,
      long generation,
      String summary,
      String details,
      boolean unlessOpen,
      @Nullable Request answering)
      implements Decision {}

  /** Hand a request to the open run. */
  record Signal(Request request) implements Decision {}

  /** The newest spec is not valid: what runs goes on. */
  record Refuse(List<Violation> violations) implements Decision {
    public Refuse {
      violations = List.copyOf(violations);
    }
  }

  /**
   * Let the resource go.
   *
   * @param forced a person asked for it, whatever may be left
   */
  record RemoveFinalizer(boolean forced) implements Decision {}
}
