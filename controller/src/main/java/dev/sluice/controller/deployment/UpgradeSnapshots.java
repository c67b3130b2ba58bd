package dev.sluice.controller.deployment;

import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.snapshot.SnapshotCreation;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the FlinkStateSnapshot of the savepoint that an operation stopped the job with. No step of
 * the operation: it is made from what the status says, under a name that follows from the path, and
 * the status says afterwards that it was made. So there is one for each savepoint, whatever happens
 * in between, and none again once somebody has deleted it.
 */
final class UpgradeSnapshots {

  /** How often it is tried while a deletion waits for it. */
  static final int LAST_TRIES = 5;

  private static final String ENABLED = "kubernetes.operator.snapshot.resource.enabled";

  /** What the API server says of a namespace that is being deleted: it will never take it. */
  private static final String TERMINATING = "being terminated";

  private final SnapshotCreation creation;
  private final Clock clock;
  private final boolean served;
  private final ConcurrentMap<String, Failures> failures = new ConcurrentHashMap<>();

  /**
   * @param client makes them
   * @param clock measures the pauses after a failure
   * @param served whether the API server knows FlinkStateSnapshots
   */
  UpgradeSnapshots(KubernetesClient client, Clock clock, boolean served) {
    this.creation = new SnapshotCreation(client);
    this.clock = clock;
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
  Made carryOut(DeploymentSnapshot seen, SnapshotTriggers known) {
    Optional<Savepoint> untold = untold(seen, known);
    if (untold.isEmpty()) {
      failures.remove(seen.ref().uid());
      return new Made(known, List.of(), null);
    }
    Optional<String> never = whyNever(seen);
    if (never.isPresent()) {
      return new Made(known, List.of(without(untold.get(), never.get())), null);
    }
    Duration pause = pause(seen, untold.get());
    return pause == null ? make(seen, known, untold.get()) : new Made(known, List.of(), pause);
  }

  /**
   * The same before the resource goes, whose status is then gone, too. What cannot be made in a few
   * tries is given up, with an event.
   */
  Made last(DeploymentSnapshot seen, SnapshotTriggers known) {
    Made made = carryOut(seen, known);
    Failures last = untold(seen, known).map(taken -> failuresOf(seen, taken)).orElse(null);
    boolean givenUp = last != null && (last.count >= LAST_TRIES || last.why.contains(TERMINATING));
    return givenUp ? new Made(made.triggers(), made.events(), null) : made;
  }

  /** The savepoint that has no FlinkStateSnapshot yet. */
  static Optional<Savepoint> untold(DeploymentSnapshot seen, SnapshotTriggers known) {
    Savepoint taken = seen.status().takenSavepoint();
    SnapshotTrigger told = known.upgrade();
    boolean isTold =
        taken != null
            && told != null
            && RequestedSnapshot.nameOfTaken(seen.resource().getMetadata(), taken)
                .equals(told.snapshot());
    return Optional.ofNullable(taken).filter(it -> it.location() != null && !isTold);
  }

  private Optional<String> whyNever(DeploymentSnapshot seen) {
    if (!served) {
      return Optional.of("the API server does not serve FlinkStateSnapshots");
    }
    String enabled = seen.operatorConfiguration().getOrDefault(ENABLED, "true");
    return enabled.trim().equalsIgnoreCase("false")
        ? Optional.of(ENABLED + " is false")
        : Optional.empty();
  }

  /** Told once: it is dated by the savepoint. */
  private static StatusEvent without(Savepoint taken, String why) {
    return StatusEvent.observed(
        EventReasons.SNAPSHOT_ERROR,
        "The savepoint %s, which the job was stopped with, gets no FlinkStateSnapshot: %s."
            .formatted(taken.location(), why),
        "no FlinkStateSnapshot of an operation's savepoint",
        List.of(Instant.ofEpochMilli(taken.timeStamp())));
  }

  private Made make(DeploymentSnapshot seen, SnapshotTriggers known, Savepoint taken) {
    FlinkStateSnapshot wanted =
        RequestedSnapshot.ofTaken(
            JobKind.FLINK_DEPLOYMENT,
            seen.resource().getMetadata(),
            taken,
            seen.operatorConfiguration());
    String name = wanted.getMetadata().getName();
    try {
      creation.create(wanted);
    } catch (ApplicationFailure failed) {
      return failed(seen, known, taken, failed);
    }
    failures.remove(seen.ref().uid());
    return new Made(
        known.withUpgrade(name),
        List.of(
            StatusEvent.normal(
                EventReasons.SNAPSHOT_REQUESTED,
                "FlinkStateSnapshot %s was made for the savepoint %s, which the job was stopped with."
                    .formatted(name, taken.location()))),
        null);
  }

  /** Those of an earlier savepoint say nothing of this one. */
  private @Nullable Failures failuresOf(DeploymentSnapshot seen, Savepoint taken) {
    Failures last = failures.get(seen.ref().uid());
    return last == null || !Objects.equals(last.location, taken.location()) ? null : last;
  }

  private @Nullable Duration pause(DeploymentSnapshot seen, Savepoint taken) {
    Failures last = failuresOf(seen, taken);
    Duration left = last == null ? Duration.ZERO : Duration.between(clock.instant(), last.again);
    return left.isNegative() || left.isZero() ? null : left;
  }

  private Made failed(
      DeploymentSnapshot seen, SnapshotTriggers known, Savepoint taken, ApplicationFailure failed) {
    Failures last = failuresOf(seen, taken);
    int count = last == null ? 1 : last.count + 1;
    Duration pause = SingleTry.pauseAfter(count);
    String why = failed.getOriginalMessage();
    failures.put(
        seen.ref().uid(), new Failures(taken.location(), count, clock.instant().plus(pause), why));
    return new Made(
        known,
        List.of(
            StatusEvent.warning(
                EventReasons.SNAPSHOT_ERROR,
                "The savepoint %s, which the job was stopped with, has no FlinkStateSnapshot: %s."
                    .formatted(taken.location(), why))),
        pause);
  }

  /** The resource is gone. */
  void forget(String uid) {
    failures.remove(uid);
  }

  /**
   * How often in a row the resource of the savepoint there could not be made, when it is tried
   * again, and why it could not.
   */
  private record Failures(@Nullable String location, int count, Instant again, String why) {}
}
