package dev.sluice.controller.inplace;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What waits for a snapshot that is being taken, and would fail: not for ever. */
final class SnapshotWaits {

  /** The longest wait. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  private final Clock clock;
  private final ConcurrentMap<String, Wait> waits = new ConcurrentHashMap<>();

  /** What a wait has come to. */
  enum State {
    BEGINS,
    GOES_ON,
    IS_OVER
  }

  /**
   * @param clock measures the waits
   */
  SnapshotWaits(Clock clock) {
    this.clock = clock;
  }

  /**
   * There is one to wait for. The wait is as long for one as for several, one after the other.
   *
   * @param uid whose waits are kept apart from those of others
   * @param content what waits
   */
  State await(String uid, String content) {
    Instant now = clock.instant();
    Wait before = waits.get(uid);
    if (before == null || !before.content.equals(content)) {
      waits.put(uid, new Wait(content, now.plus(LONGEST)));
      return State.BEGINS;
    }
    return now.isBefore(before.until) ? State.GOES_ON : State.IS_OVER;
  }

  /** What waited is done, or is not needed any more. */
  void done(String uid) {
    waits.remove(uid);
  }

  private record Wait(String content, Instant until) {}
}
