package dev.sluice.activities.async;

import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;

/** Reports what a long wait waits for in the status of the resource. */
@FunctionalInterface
public interface WaitReporter {

  WaitReporter NONE = (resource, waiting, text) -> {};

  /**
   * Who waits.
   *
   * @param runId Temporal's run id; what another run says is not its to change
   * @param activity the type of the activity, which is the title of its step
   * @param since when it was scheduled, by Temporal's clock
   */
  record Waiting(String runId, String activity, Instant since) {}

  /**
   * Called for waits that take longer than 10 s, at most every 15 s, when the text has changed. May
   * block; what it throws is logged.
   *
   * @param text one line
   */
  void report(ResourceRef resource, Waiting waiting, String text);
}
