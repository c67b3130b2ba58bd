package dev.sluice.activities.async;

import dev.sluice.workflows.model.ResourceRef;

/** Tells people what a long wait waits for, in the status of the resource. */
@FunctionalInterface
public interface WaitReporter {

  /** Tells nobody. */
  WaitReporter NONE = (resource, text) -> {};

  /**
   * Called for waits that take longer than 10 s, at most every 15 s, when the text has changed. May
   * block; what it throws is logged.
   *
   * @param text one line
   */
  void report(ResourceRef resource, String text);
}
