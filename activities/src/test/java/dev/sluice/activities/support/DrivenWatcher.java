package dev.sluice.activities.support;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looks until a look decides, on the thread of the activity, with something between the looks. */
public final class DrivenWatcher implements Watcher {

  private static final int LOOKS = 50;

  private final TestClock clock;
  private final Deque<Runnable> between = new ArrayDeque<>();
  private Duration each = Duration.ZERO;
  private @Nullable Wait<?> last;
  private boolean givenUp;

  public DrivenWatcher(TestClock clock) {
    this.clock = clock;
  }

  /** Happens after the next look that does not decide; one for each. */
  public DrivenWatcher between(Runnable change) {
    between.add(change);
    return this;
  }

  /** So much time passes after each look. */
  public DrivenWatcher each(Duration time) {
    each = time;
    return this;
  }

  /** Temporal gives up every wait at its beginning. */
  public DrivenWatcher givenUp() {
    givenUp = true;
    return this;
  }

  /** The wait that was watched last. */
  public Wait<?> last() {
    return Objects.requireNonNull(last);
  }

  @Override
  @SuppressWarnings("NullAway") // an activity may have no result
  public <T> T watch(Wait<T> wait) {
    last = wait;
    if (givenUp) {
      return null;
    }
    for (int i = 0; i < LOOKS; i++) {
      ProbeResult<T> seen = look(wait);
      if (seen instanceof ProbeResult.Done<T> done) {
        return done.result();
      }
      if (seen instanceof ProbeResult.Failed<T> failed) {
        throw ApplicationFailure.newNonRetryableFailure(failed.message(), failed.type());
      }
      clock.advance(each);
      if (!between.isEmpty()) {
        between.remove().run();
      }
    }
    throw new AssertionError("no look decided");
  }

  private static <T> ProbeResult<T> look(Wait<T> wait) {
    try {
      return wait.probe().look(() -> true);
    } catch (RuntimeException unknown) {
      if (unknown instanceof ApplicationFailure failure && failure.isNonRetryable()) {
        throw failure;
      }
      return ProbeResult.notYet(unknown.toString());
    }
  }

  @Override
  public void wake(String key) {}
}
