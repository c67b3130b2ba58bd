package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.snapshot.SnapshotStore;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.AnnotationRequests;
import dev.sluice.controller.snapshot.JobSnapshots.Outcome;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes the snapshots that a nonce of the spec, else an annotation, asks for. The status says
 * afterwards which one was made; until that is written the same one is asked for, and found. The
 * rules of nonces are Apache's: one that the job began with asks for nothing, the newest one
 * counts, and one that was changed together with the rest of the spec is answered by the job that
 * the upgrade started.
 */
final class ManualSnapshots {

  /** What could not be made is tried again then. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private static final int SHORT = 8;

  private final SnapshotStore store;

  /**
   * @param client gives up soon: reconciliations wait for it
   */
  ManualSnapshots(KubernetesClient client) {
    this.store = new SnapshotStore(client, new ResourceStores(List.of()));
  }

  /**
   * A snapshot that is asked for now.
   *
   * @param before what was answered before; null for nothing
   * @param nonce null where an annotation asks
   * @param value of the annotation; null where a nonce asks
   */
  record Request(
      SnapshotType type,
      @Nullable SnapshotTrigger before,
      @Nullable Long nonce,
      @Nullable String value) {

    /** Another one than those before it, and the same after a crash. */
    String suffix(String uid) {
      String all =
          "%s %s %s"
              .formatted(
                  uid,
                  before == null ? null : before.snapshot(),
                  nonce == null ? "annotation " + value : String.valueOf(nonce));
      String hash =
          UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8))
              .toString()
              .substring(0, SHORT);
      return nonce == null ? hash : nonce + "-" + hash;
    }

    /** An annotation leaves the nonce as it was. */
    SnapshotTrigger answer(String snapshot) {
      Long known = before == null ? null : before.nonce();
      return new SnapshotTrigger(nonce == null ? known : nonce, snapshot, value);
    }

    String display() {
      return nonce == null
          ? "%s=%s".formatted(AnnotationRequests.annotation(type), value)
          : "spec.job.%sTriggerNonce %d".formatted(type.word(), nonce);
    }
  }

  /**
   * What the status has to say before anything more is taken. It remembers what was answered once
   * the next operation replaces the deployed spec, which says so until then.
   */
  static SnapshotTriggers known(SnapshotOwner seen) {
    SnapshotTriggers known =
        Objects.requireNonNullElse(seen.status().snapshotTriggers(), SnapshotTriggers.NONE);
    JobSpec deployed = seen.deployedJob();
    for (SnapshotType type : SnapshotType.values()) {
      if (known.of(type) == null && deployed != null && seen.frozenGeneration() != null) {
        // also where none asks: one that comes later may be frozen before another status is written
        known = known.with(type, new SnapshotTrigger(nonce(deployed, type), null, null));
      }
    }
    return known;
  }

  /** What the job that is up is to be asked for; empty while there is nothing, or no such job. */
  static Optional<Request> request(SnapshotOwner seen, SnapshotTriggers known, SnapshotType type) {
    if (!seen.violations().isEmpty() || !seen.isJobUp() || !seen.takes(type)) {
      return Optional.empty();
    }
    SnapshotTrigger before = known.of(type);
    Long nonce = nonce(seen.wantedJob(), type);
    return nonce != null && before != null && !nonce.equals(before.nonce())
        ? Optional.of(new Request(type, before, nonce, null))
        : seen.requests().pending(type).map(value -> new Request(type, before, null, value));
  }

  private static @Nullable Long nonce(@Nullable JobSpec job, SnapshotType type) {
    if (job == null) {
      return null;
    }
    return type == SnapshotType.SAVEPOINT
        ? job.savepointTriggerNonce()
        : job.checkpointTriggerNonce();
  }

  /**
   * Makes what is asked for and was not made yet.
   *
   * @param resources false: it is requested in the status, from which its run takes it
   */
  Outcome carryOut(SnapshotOwner seen, boolean resources) {
    SnapshotTriggers triggers = known(seen);
    Map<SnapshotType, String> handled = new EnumMap<>(SnapshotType.class);
    List<StatusEvent> events = new ArrayList<>();
    Optional<Duration> review = Optional.empty();
    for (SnapshotType type : SnapshotType.values()) {
      Request request = request(seen, triggers, type).orElse(null);
      if (request == null) {
        continue;
      }
      FlinkStateSnapshot wanted = wanted(seen, request);
      String name = wanted.getMetadata().getName();
      try {
        boolean asResource = resources && store.create(wanted).isPresent();
        if (asResource || requestInStatus(seen, wanted, request)) {
          triggers = triggers.with(type, request.answer(name));
          if (request.value() != null) {
            handled.put(type, request.value());
          }
          events.add(requested(request, name, asResource));
        } else {
          review = Optional.of(AGAIN);
        }
      } catch (ApplicationFailure failed) {
        events.add(failed(request, failed.getOriginalMessage()));
        review = Optional.of(AGAIN);
      }
    }
    return new Outcome(triggers, handled, events, review);
  }

  private static FlinkStateSnapshot wanted(SnapshotOwner seen, Request request) {
    return RequestedSnapshot.of(
        request.type(),
        TriggerType.MANUAL,
        seen.jobKind(),
        seen.resource().getMetadata(),
        request.suffix(seen.ref().uid()),
        seen.operatorConfiguration());
  }

  /** False while another one of its type is being taken, or the resource has changed since. */
  private boolean requestInStatus(SnapshotOwner seen, FlinkStateSnapshot wanted, Request request) {
    return KubernetesFailure.told(
        "write the status of " + seen.ref().display(),
        () -> {
          try {
            return store.request(
                JobResource.of(seen.resource(), seen.status()), wanted, request.nonce());
          } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_CONFLICT) {
              return false;
            }
            throw failed;
          }
        });
  }

  private static StatusEvent requested(Request request, String name, boolean asResource) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REQUESTED,
        asResource
            ? "FlinkStateSnapshot %s was made for %s.".formatted(name, request.display())
            : "A %s is taken for %s; status.snapshots.%s tells how it goes."
                .formatted(request.type().word(), request.display(), request.type().word()));
  }

  private static StatusEvent failed(Request request, String why) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "The snapshot for %s cannot be made: %s. It is tried again."
            .formatted(request.display(), why));
  }
}
