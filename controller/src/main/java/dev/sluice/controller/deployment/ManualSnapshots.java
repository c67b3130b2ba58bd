package dev.sluice.controller.deployment;

import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.snapshot.SnapshotCreation;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the FlinkStateSnapshots that a spec asks for by a nonce. The status says afterwards which
 * one was made; until that is written the same one is asked for, and found.
 */
final class ManualSnapshots {

  private final SnapshotCreation creation;
  private final Clock clock;
  private final ConcurrentMap<String, Failures> failures = new ConcurrentHashMap<>();

  /** Pauses after a failure are measured by this clock. */
  ManualSnapshots(KubernetesClient client, Clock clock) {
    this.creation = new SnapshotCreation(client);
    this.clock = clock;
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param review when to try again; null when nothing is left to do
   */
  record Made(SnapshotTriggers triggers, List<StatusEvent> events, @Nullable Duration review) {}

  /** Makes what is asked for and was not made yet. */
  Made carryOut(DeploymentSnapshot seen) {
    SnapshotTriggers triggers = SnapshotNonces.known(seen);
    List<StatusEvent> events = new ArrayList<>();
    Duration review = pause(seen);
    if (review != null) {
      return new Made(triggers, events, review);
    }
    for (SnapshotType type : SnapshotType.values()) {
      Optional<Long> nonce = SnapshotNonces.pending(seen, triggers, type);
      if (nonce.isPresent()) {
        FlinkStateSnapshot wanted = wanted(seen, type, triggers.of(type), nonce.get());
        String name = wanted.getMetadata().getName();
        try {
          creation.create(wanted);
          triggers = triggers.with(type, new SnapshotTrigger(nonce.get(), name));
          events.add(requested(type, nonce.get(), name));
        } catch (ApplicationFailure failed) {
          return failed(seen, triggers, events, failed);
        }
      }
    }
    failures.remove(seen.ref().uid());
    return new Made(triggers, events, null);
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

  private @Nullable Duration pause(DeploymentSnapshot seen) {
    Failures last = failures.get(seen.ref().uid());
    Duration left = last == null ? Duration.ZERO : Duration.between(clock.instant(), last.again);
    return left.isNegative() || left.isZero() ? null : left;
  }

  private Made failed(
      DeploymentSnapshot seen,
      SnapshotTriggers triggers,
      List<StatusEvent> events,
      ApplicationFailure failed) {
    Failures last = failures.get(seen.ref().uid());
    int count = last == null ? 1 : last.count + 1;
    Duration pause = SingleTry.pauseAfter(count);
    failures.put(seen.ref().uid(), new Failures(count, clock.instant().plus(pause)));
    events.add(
        StatusEvent.warning(
            EventReasons.SNAPSHOT_ERROR,
            "A snapshot that a nonce asks for cannot be made: %s. It is tried again."
                .formatted(failed.getOriginalMessage())));
    return new Made(triggers, events, pause);
  }

  /** The resource is gone. */
  void forget(String uid) {
    failures.remove(uid);
  }

  /** How often in a row it could not be made, and when it is tried again. */
  private record Failures(int count, Instant again) {}
}
