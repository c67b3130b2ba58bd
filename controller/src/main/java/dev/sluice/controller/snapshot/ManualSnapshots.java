package dev.sluice.controller.snapshot;

import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.snapshot.SnapshotStore;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.common.StatusEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the FlinkStateSnapshots that a nonce of the spec, or an annotation, asks for. The status
 * says afterwards which one was made; until that is written the same one is asked for, and found.
 */
final class ManualSnapshots {

  /** How soon it is looked again whether the FlinkStateSnapshot of the nonce before has ended. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** A resource that Kubernetes refuses is created again then. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final SnapshotStore store;

  /**
   * @param client gives up soon: reconciliations wait for it
   */
  ManualSnapshots(KubernetesClient client) {
    this.store = new SnapshotStore(client, new ResourceStores(List.of()));
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param handled values of annotations that are answered, by the type of snapshot
   * @param review when to try again; null when nothing is left to do
   */
  record Made(
      SnapshotTriggers triggers,
      Map<SnapshotType, String> handled,
      List<StatusEvent> events,
      @Nullable Duration review) {}

  /**
   * Makes what is asked for and was not made yet.
   *
   * @param resources false: it is told in the status alone, from which its run takes it
   * @param there the FlinkStateSnapshots of the namespace
   */
  Made carryOut(
      SnapshotOwner seen, boolean resources, Supplier<Collection<FlinkStateSnapshot>> there) {
    Answers answers = new Answers(SnapshotNonces.known(seen));
    for (SnapshotType type : SnapshotType.values()) {
      // the status has room for one of a type: what it asks for comes first
      if (seen.status().wantedSnapshot(answers.triggers, type).isEmpty()) {
        SnapshotRequest.of(seen, answers.triggers, type)
            .ifPresent(ask -> carryOut(ask, seen, resources, there, answers));
      }
    }
    return answers.made();
  }

  private void carryOut(
      SnapshotRequest ask,
      SnapshotOwner seen,
      boolean resources,
      Supplier<Collection<FlinkStateSnapshot>> there,
      Answers answers) {
    FlinkStateSnapshot wanted =
        RequestedSnapshot.of(
            ask.type(),
            TriggerType.MANUAL,
            seen.jobKind(),
            seen.resource().getMetadata(),
            ask.suffix(seen),
            seen.operatorConfiguration());
    String name = wanted.getMetadata().getName();
    if (resources && create(wanted, ask, answers)) {
      return;
    }
    if (there(seen, name, there).isPresent()) {
      // made before they were switched off, and not told because of a crash
      answers.answered(ask, name, null, false);
    } else if (ask.before() != null && isBeingTaken(there(seen, ask.before().snapshot(), there))) {
      answers.reviews.add(LOOK_AGAIN); // as with those in the status: one of a type
    } else {
      answers.answered(ask, name, wanted.getSpec().formatType(), false);
    }
  }

  /** False where the API server does not serve FlinkStateSnapshots any more. */
  private boolean create(FlinkStateSnapshot wanted, SnapshotRequest ask, Answers answers) {
    try {
      if (store.create(wanted).isEmpty()) {
        return false;
      }
      answers.answered(ask, wanted.getMetadata().getName(), null, true);
    } catch (ApplicationFailure failed) {
      answers.events.add(failed(ask, failed.getOriginalMessage()));
      answers.reviews.add(AGAIN);
    }
    return true;
  }

  /** What comes of all that is asked for. */
  private static final class Answers {

    private final List<StatusEvent> events = new ArrayList<>();
    private final List<Duration> reviews = new ArrayList<>();
    private final Map<SnapshotType, String> handled = new EnumMap<>(SnapshotType.class);
    private SnapshotTriggers triggers;

    Answers(SnapshotTriggers known) {
      this.triggers = known;
    }

    void answered(SnapshotRequest ask, String name, @Nullable String formatType, boolean now) {
      triggers = triggers.with(ask.type(), ask.answer(name, formatType));
      if (ask.value() != null) {
        handled.put(ask.type(), ask.value());
      }
      if (now) {
        events.add(requested(ask, name));
      }
    }

    Made made() {
      return new Made(
          triggers, handled, events, reviews.stream().min(Duration::compareTo).orElse(null));
    }
  }

  private static Optional<FlinkStateSnapshot> there(
      SnapshotOwner seen, @Nullable String name, Supplier<Collection<FlinkStateSnapshot>> there) {
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

  private static StatusEvent requested(SnapshotRequest ask, String name) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REQUESTED,
        "FlinkStateSnapshot %s was made for %s.".formatted(name, ask.display()));
  }

  private static StatusEvent failed(SnapshotRequest ask, String why) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "The snapshot for %s cannot be made: %s. It is tried again.".formatted(ask.display(), why));
  }
}
