package dev.sluice.activities.async;

import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Temporal how an activity ended, again and again while Temporal is away. It gives up when
 * the heartbeat timeout is over: by then Temporal has given the activity to another attempt, which
 * finds the same end.
 */
final class CompletionReporter {

  private static final Logger LOG = LoggerFactory.getLogger(CompletionReporter.class);
  private static final Duration WITHOUT_HEARTBEATS = Duration.ofMinutes(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final String what;
  private final Calls calls;
  private final Loop loop;
  private final Runnable gone;
  private Loop.Timer impatience = Loop.Timer.NONE;
  private boolean over;

  /**
   * @param what what was waited for, for the log
   * @param gone runs once, when there is nothing left to tell
   */
  CompletionReporter(String what, Calls calls, Loop loop, Runnable gone) {
    this.what = what;
    this.calls = calls;
    this.loop = loop;
    this.gone = gone;
  }

  void tell(ActivityTask task, Runnable call) {
    Duration patience =
        task.heartbeatTimeout().isZero() ? WITHOUT_HEARTBEATS : task.heartbeatTimeout();
    impatience =
        loop.after(
            patience,
            () -> {
              LOG.warn("Temporal did not learn in {} that the wait for {} ended", patience, what);
              finish();
            });
    attempt(call, FIRST_PAUSE);
  }

  private void attempt(Runnable call, Duration pause) {
    if (over) {
      return;
    }
    calls.make(
        call,
        thrown -> {
          if (thrown == null || isOver(thrown)) {
            finish();
          } else {
            LOG.debug(
                "could not tell Temporal that the wait for {} ended: {}", what, thrown.toString());
            loop.after(pause, () -> attempt(call, longer(pause)));
          }
        });
  }

  private void finish() {
    if (!over) {
      over = true;
      impatience.cancel();
      gone.run();
    }
  }

  private static boolean isOver(RuntimeException thrown) {
    return thrown instanceof ActivityNotExistsException
        || thrown instanceof ActivityCanceledException;
  }

  private static Duration longer(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }
}
