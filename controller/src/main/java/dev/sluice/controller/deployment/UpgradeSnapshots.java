package dev.sluice.controller.deployment;

import dev.sluice.activities.resource.JobResource;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.deployment.SnapshotTries.Result;
import dev.sluice.controller.deployment.SnapshotTries.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the FlinkStateSnapshots of the savepoints that operations stopped the job with. No step of
 * an operation: each is made from what the status says, under a name that follows from the path,
 * and the status says afterwards that it was made. So there is one for each savepoint, whatever
 * happens in between, and none again once somebody has deleted it. Where they are switched off, or
 * not served, the savepoints go into the history that the status has.
 */
final class UpgradeSnapshots {

  /** How often it is tried while a deletion waits for it. */
  static final int LAST_TRIES = 5;

  /** What the API server says of a namespace that is being deleted: it will never take it. */
  private static final String TERMINATING = "being terminated";

  private final SnapshotTries tries;
  private final boolean served;

  /**
   * @param tries makes them
   * @param served whether the API server knows FlinkStateSnapshots
   */
  UpgradeSnapshots(SnapshotTries tries, boolean served) {
    this.tries = tries;
    this.served = served;
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param review when to try again; null when nothing is left to do
   */
  record Made(SnapshotTriggers triggers, List<StatusEvent> events, @Nullable Duration review) {}

  /** Makes it, unless that was done. */
  Made carryOut(SnapshotOwner seen, SnapshotTriggers known) {
    List<Savepoint> untold = untold(seen, known);
    if (untold.isEmpty()) {
      tries.forget(seen.ref().uid());
      return new Made(known, List.of(), null);
    }
    return whyNever(seen).isPresent() ? record(seen, known, untold) : make(seen, known, untold);
  }

  /**
   * The same before the resource goes, whose status is then gone, too. What cannot be made in a few
   * tries is given up, with an event.
   */
  Made last(SnapshotOwner seen, SnapshotTriggers known) {
    List<Savepoint> untold = untold(seen, known);
    Optional<String> never = whyNever(seen);
    if (!untold.isEmpty() && never.isPresent()) {
      return without(seen, known, untold, never.get());
    }
    Made made = carryOut(seen, known);
    boolean givenUp =
        untold(seen, made.triggers()).stream()
            .allMatch(
                it ->
                    tries
                        .standing(seen.ref().uid(), name(seen, it))
                        .filter(UpgradeSnapshots::isOver)
                        .isPresent());
    return givenUp ? new Made(made.triggers(), made.events(), null) : made;
  }

  private static boolean isOver(Standing standing) {
    return standing.isMade()
        || standing.failures() >= LAST_TRIES
        || standing.why().filter(it -> it.contains(TERMINATING)).isPresent();
  }

  /** The savepoints that have no FlinkStateSnapshot yet, oldest first. */
  static List<Savepoint> untold(SnapshotOwner seen, SnapshotTriggers known) {
    return RequestedSnapshot.taken(
            seen.resource().getMetadata(),
            seen.status().takenSavepoint(),
            seen.status().earlierSavepoints(),
            known)
        .untold();
  }

  private static String name(SnapshotOwner seen, Savepoint taken) {
    return RequestedSnapshot.nameOfTaken(seen.resource().getMetadata(), taken);
  }

  private Optional<String> whyNever(SnapshotOwner seen) {
    if (!served) {
      return Optional.of("the API server does not serve FlinkStateSnapshots");
    }
    return SnapshotResources.isEnabled(seen.operatorConfiguration())
        ? Optional.empty()
        : Optional.of(SnapshotResources.KEY + " is false");
  }

  private static Savepoint newest(List<Savepoint> untold) {
    return untold.get(untold.size() - 1);
  }

  private static Made without(
      SnapshotOwner seen, SnapshotTriggers known, List<Savepoint> untold, String why) {
    return new Made(
        known.withUpgrade(name(seen, newest(untold))), List.of(without(untold, why)), null);
  }

  /** Told once of each: it is dated by the savepoints. */
  private static StatusEvent without(List<Savepoint> untold, String why) {
    return StatusEvent.observed(
        EventReasons.SNAPSHOT_ERROR,
        "The savepoint %s, which the job was stopped with, gets no FlinkStateSnapshot: %s."
            .formatted(newest(untold).location(), why),
        "no FlinkStateSnapshot of an operation's savepoint",
        untold.stream().map(it -> Instant.ofEpochMilli(it.timeStamp())).sorted().toList());
  }

  private Made record(SnapshotOwner seen, SnapshotTriggers known, List<Savepoint> untold) {
    String name = name(seen, newest(untold));
    Result result = tries.record(name, JobResource.of(seen.resource(), seen.status()), untold);
    List<StatusEvent> events =
        result instanceof Result.Failed failed
            ? List.of(failed(newest(untold), "is not in savepointInfo", failed.why()))
            : List.of();
    return again(result)
        .map(again -> new Made(known, events, again))
        .orElseGet(() -> new Made(known.withUpgrade(name), events, null));
  }

  private Made make(SnapshotOwner seen, SnapshotTriggers known, List<Savepoint> untold) {
    SnapshotTriggers triggers = known;
    List<StatusEvent> events = new ArrayList<>();
    List<Duration> reviews = new ArrayList<>();
    for (Savepoint taken : untold) {
      Result result = tries.make(seen.ref().uid(), snapshot(seen, taken));
      if (result instanceof Result.Made made && made.now()) {
        events.add(made(taken, name(seen, taken)));
      } else if (result instanceof Result.Failed failed) {
        events.add(failed(taken, "has no FlinkStateSnapshot", failed.why()));
      }
      again(result).ifPresent(reviews::add);
      if (reviews.isEmpty()) {
        // what is told of one is told of all before it
        triggers = triggers.withUpgrade(name(seen, taken));
      }
    }
    return new Made(triggers, events, reviews.stream().min(Duration::compareTo).orElse(null));
  }

  private static FlinkStateSnapshot snapshot(SnapshotOwner seen, Savepoint taken) {
    return RequestedSnapshot.ofTaken(
        seen.jobKind(), seen.resource().getMetadata(), taken, seen.operatorConfiguration());
  }

  /** When it is tried again; empty when nothing is left to do. */
  private static Optional<Duration> again(Result result) {
    if (result instanceof Result.Failed failed && !failed.forGood()) {
      return Optional.of(failed.again());
    }
    return result instanceof Result.Later later ? Optional.of(later.again()) : Optional.empty();
  }

  private static StatusEvent made(Savepoint taken, String name) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REQUESTED,
        "FlinkStateSnapshot %s was made for the savepoint %s, which the job was stopped with."
            .formatted(name, taken.location()));
  }

  private static StatusEvent failed(Savepoint taken, String what, String why) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "The savepoint %s, which the job was stopped with, %s: %s."
            .formatted(taken.location(), what, why));
  }

  /** The resource is gone. */
  void forget(String uid) {
    tries.forget(uid);
  }
}
