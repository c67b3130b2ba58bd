package dev.sluice.controller.deployment;

import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.deployment.SnapshotTries.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the FlinkStateSnapshots that a spec asks for by a nonce. The status says afterwards which
 * one was made; until that is written the same one is asked for, and found.
 */
final class ManualSnapshots {

  /** How soon it is looked again whether the FlinkStateSnapshot of the nonce before has ended. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final SnapshotTries tries;

  ManualSnapshots(SnapshotTries tries) {
    this.tries = tries;
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param review when to try again; null when nothing is left to do
   */
  record Made(SnapshotTriggers triggers, List<StatusEvent> events, @Nullable Duration review) {}

  /**
   * Makes what is asked for and was not made yet.
   *
   * @param resources false: it is told in the status alone, from which its run takes it
   * @param there the FlinkStateSnapshots of the namespace
   */
  Made carryOut(
      DeploymentSnapshot seen, boolean resources, Supplier<Collection<FlinkStateSnapshot>> there) {
    SnapshotTriggers triggers = SnapshotNonces.known(seen);
    List<StatusEvent> events = new ArrayList<>();
    List<Duration> reviews = new ArrayList<>();
    boolean pending = false;
    for (SnapshotType type : SnapshotType.values()) {
      Optional<Long> nonce = SnapshotNonces.pending(seen, triggers, type);
      // the status has room for one of a type: what it asks for comes first
      boolean isFree = seen.status().snapshotsOrNone().wanted(triggers, type).isEmpty();
      if (nonce.isEmpty() || !isFree) {
        continue;
      }
      FlinkStateSnapshot wanted = wanted(seen, type, triggers.of(type), nonce.get());
      String name = wanted.getMetadata().getName();
      if (!resources) {
        SnapshotTrigger before = triggers.of(type);
        if (there(seen, name, there).isPresent()) {
          // made before they were switched off, and not told because of a crash
          triggers = triggers.with(type, new SnapshotTrigger(nonce.get(), name));
        } else if (before != null && isBeingTaken(there(seen, before.snapshot(), there))) {
          reviews.add(LOOK_AGAIN); // as with those in the status: one of a type
        } else {
          triggers =
              triggers.with(
                  type, new SnapshotTrigger(nonce.get(), name, wanted.getSpec().formatType()));
        }
        continue;
      }
      pending = true;
      Result result = tries.make(seen.ref().uid(), wanted);
      if (result instanceof Result.Made made) {
        triggers = triggers.with(type, new SnapshotTrigger(nonce.get(), name));
        if (made.now()) {
          events.add(requested(type, nonce.get(), name));
        }
      } else if (result instanceof Result.Failed failed) {
        events.add(failed(failed.why()));
        reviews.add(failed.again());
      } else if (result instanceof Result.Later later) {
        reviews.add(later.again());
      }
    }
    if (!pending) {
      tries.forget(seen.ref().uid());
    }
    return new Made(triggers, events, reviews.stream().min(Duration::compareTo).orElse(null));
  }

  private static Optional<FlinkStateSnapshot> there(
      DeploymentSnapshot seen,
      @Nullable String name,
      Supplier<Collection<FlinkStateSnapshot>> there) {
    return there.get().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .filter(it -> RequestedSnapshot.isMade(it, TriggerType.MANUAL, seen.ref().uid()))
        .findFirst();
  }

  /** Not one that keeps failing, which another nonce would end in the status, too. */
  private static boolean isBeingTaken(Optional<FlinkStateSnapshot> snapshot) {
    return snapshot
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .map(FlinkStateSnapshot::getStatus)
        .filter(it -> !it.stateOrPending().isFinal() && !StatusSnapshotRuns.isFailing(it))
        .isPresent();
  }

  private static FlinkStateSnapshot wanted(
      DeploymentSnapshot seen, SnapshotType type, @Nullable SnapshotTrigger before, long nonce) {
    return RequestedSnapshot.of(
        type,
        TriggerType.MANUAL,
        JobKind.FLINK_DEPLOYMENT,
        seen.resource().getMetadata(),
        SnapshotNonces.suffix(seen, before, nonce),
        seen.operatorConfiguration());
  }

  private static StatusEvent requested(SnapshotType type, long nonce, String name) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REQUESTED,
        "FlinkStateSnapshot %s was made for spec.job.%sTriggerNonce %d."
            .formatted(name, type.word(), nonce));
  }

  private static StatusEvent failed(String why) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "A snapshot that a nonce asks for cannot be made: %s. It is tried again.".formatted(why));
  }

  /** The resource is gone. */
  void forget(String uid) {
    tries.forget(uid);
  }
}
