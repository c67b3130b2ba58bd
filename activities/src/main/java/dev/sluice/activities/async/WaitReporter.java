package dev.sluice.activities.async;

import dev.sluice.workflows.model.ResourceRef;

/** Tells people what a long wait waits for, in the status of the resource. */
@FunctionalInterface
public interface WaitReporter {

  /** Reports nothing. */
  WaitReporter NONE = (resource, runId, text) -> {};

  /**
   * Called for waits that take longer than 10 s, at most every 15 s, when the text has changed. May
   * block; what it throws is logged.
   *
   * @param runId Temporal's run id of the run that waits; what another run says is not its to
   *     change
   * @param text one line
   */
  void report(ResourceRef resource, String runId, String text);
}
