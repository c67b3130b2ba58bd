package dev.sluice.controller.deployment;

import dev.sluice.activities.resource.JobResource;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.snapshot.SnapshotCreation;
import dev.sluice.controller.snapshot.SnapshotCreation.Answer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Makes FlinkStateSnapshots of resources, each again after a pause that grows as long as it fails,
 * and none again that was made. Remembers that until nothing is left to do for the resource.
 */
final class SnapshotTries {

  private final SnapshotCreation creation;
  private final Clock clock;

  /** By the uid of the resource and the name of the snapshot. */
  private final ConcurrentMap<String, Map<String, Standing>> standings = new ConcurrentHashMap<>();

  /** Pauses are measured by this clock. */
  SnapshotTries(SnapshotCreation creation, Clock clock) {
    this.creation = creation;
    this.clock = clock;
  }

  /** What came of it. */
  sealed interface Result {

    /**
     * It is there.
     *
     * @param now whether this call has made it
     */
    record Made(boolean now) implements Result {}

    /**
     * It could not be made.
     *
     * @param why in words
     * @param forGood it never will be: its name is taken
     */
    record Failed(String why, Duration again, boolean forGood) implements Result {}

    /** It is not its time. */
    record Later(Duration again) implements Result {}
  }

  /**
   * How it stands with one.
   *
   * @param failures how often in a row it could not be made
   * @param why it could not; empty once it was made
   * @param again when it is tried again
   */
  record Standing(int failures, Optional<String> why, Instant again) {

    boolean isMade() {
      return why.isEmpty();
    }
  }

  /**
   * Makes it, unless that was done, or has failed a short time ago.
   *
   * @param uid of the resource that it is made for
   */
  Result make(String uid, FlinkStateSnapshot wanted) {
    return attempt(uid, wanted.getMetadata().getName(), () -> creation.create(wanted));
  }

  /**
   * Records them in the status of their resource instead, unless that was done, or has failed a
   * short time ago.
   *
   * @param name that the FlinkStateSnapshot of the newest would have
   */
  Result record(String name, JobResource read, List<Savepoint> taken) {
    return attempt(read.metadata().getUid(), name, () -> creation.record(read, taken));
  }

  private Result attempt(String uid, String name, Supplier<Answer> call) {
    Optional<Standing> known = standing(uid, name);
    if (known.filter(Standing::isMade).isPresent()) {
      return new Result.Made(false);
    }
    Instant now = clock.instant();
    Instant again = known.map(Standing::again).orElse(now);
    if (now.isBefore(again)) {
      return new Result.Later(Duration.between(now, again));
    }
    Answer answer = call.get();
    if (answer instanceof Answer.Busy busy) {
      return new Result.Later(busy.again());
    }
    if (answer instanceof Answer.Failed failed) {
      int failures = known.map(Standing::failures).orElse(0) + 1;
      Duration pause = SingleTry.pauseAfter(failures);
      put(
          uid,
          name,
          new Standing(failures, Optional.of(failed.why()), clock.instant().plus(pause)));
      return new Result.Failed(failed.why(), pause, failed.forGood());
    }
    put(uid, name, new Standing(0, Optional.empty(), now));
    return new Result.Made(true);
  }

  /** What is known of one; empty when it was not tried. */
  Optional<Standing> standing(String uid, String name) {
    return Optional.ofNullable(standings.getOrDefault(uid, Map.of()).get(name));
  }

  private void put(String uid, String name, Standing standing) {
    standings.computeIfAbsent(uid, it -> new ConcurrentHashMap<>()).put(name, standing);
  }

  /** Nothing is left to do for the resource, or it is gone. */
  void forget(String uid) {
    standings.remove(uid);
  }
}
