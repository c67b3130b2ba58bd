package dev.sluice.controller.snapshot;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.PendingTrigger;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which snapshots a resource asks for by {@code savepointTriggerNonce} and {@code
 * checkpointTriggerNonce}, or by an annotation. The rules are Apache's: a nonce that the job began
 * with asks for nothing, the newest one counts, and one that was changed together with the rest of
 * the spec is answered by the job that the upgrade started. Pure.
 */
final class SnapshotNonces {

  private static final int SHORT = 8;
  private static final SnapshotTrigger NOTHING = new SnapshotTrigger(null, null);

  private SnapshotNonces() {}

  /**
   * What the status has to say before anything more is taken. It remembers what was answered once
   * the next operation replaces the deployed spec, which says so until then.
   */
  static SnapshotTriggers known(SnapshotOwner snapshot) {
    SnapshotTriggers known = orNone(snapshot.status().snapshotTriggers());
    for (SnapshotType type : SnapshotType.values()) {
      known = known.with(type, known(snapshot, type));
    }
    return known;
  }

  private static @Nullable SnapshotTrigger known(SnapshotOwner snapshot, SnapshotType type) {
    SnapshotTriggers there = snapshot.status().snapshotTriggers();
    SnapshotTrigger told = there == null ? null : there.of(type);
    JobSpec deployed = snapshot.deployedJob();
    if (told != null || snapshot.frozenGeneration() == null) {
      return told;
    }
    PendingTrigger takenOver =
        snapshot.status().jobStatus() == null
            ? null
            : PendingTrigger.of(snapshot.status().jobStatus(), type);
    if (takenOver != null && takenOver.isManual()) {
      // Apache's operator has begun what the spec asks for
      return new SnapshotTrigger(nonce(snapshot.wantedJob(), type), null);
    }
    // also where none asks: one that comes later may be frozen before another status is written
    return deployed == null ? null : new SnapshotTrigger(nonce(deployed, type), null);
  }

  private static SnapshotTriggers orNone(@Nullable SnapshotTriggers triggers) {
    return Objects.requireNonNullElse(triggers, SnapshotTriggers.NONE);
  }

  /** The nonce to answer now, by the job that is up; empty while there is none, or no such job. */
  static Optional<Long> pending(SnapshotOwner snapshot, SnapshotTriggers known, SnapshotType type) {
    Long asked = nonce(snapshot.wantedJob(), type);
    SnapshotTrigger answered = known.of(type);
    if (asked == null || answered == null || asked.equals(answered.nonce())) {
      return Optional.empty();
    }
    return isPossible(snapshot, type) ? Optional.of(asked) : Optional.empty();
  }

  /**
   * The value of the annotation to answer now, as {@link #pending}. As with the other requests, one
   * that came with the manifest asks for nothing.
   */
  static Optional<String> requested(SnapshotOwner snapshot, SnapshotType type) {
    return snapshot.requests().pending(type).filter(value -> isPossible(snapshot, type));
  }

  /**
   * What makes the snapshot another one than those before it: the same after a crash, and different
   * for a nonce that is used again.
   *
   * @param answered what was answered before
   */
  static String suffix(SnapshotOwner snapshot, @Nullable SnapshotTrigger answered, long nonce) {
    return nonce + "-" + hash(snapshot, answered, String.valueOf(nonce));
  }

  /** The same for what an annotation asks for. */
  static String suffix(SnapshotOwner snapshot, @Nullable SnapshotTrigger answered, String value) {
    return hash(snapshot, answered, "annotation " + value);
  }

  private static String hash(
      SnapshotOwner snapshot, @Nullable SnapshotTrigger answered, String asked) {
    String before = answered == null ? null : answered.snapshot();
    String all = "%s %s %s".formatted(snapshot.ref().uid(), before, asked);
    return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8))
        .toString()
        .substring(0, SHORT);
  }

  private static boolean isPossible(SnapshotOwner snapshot, SnapshotType type) {
    return snapshot.violations().isEmpty() && snapshot.isJobUp() && snapshot.takes(type);
  }

  private static @Nullable Long nonce(@Nullable JobSpec job, SnapshotType type) {
    if (job == null) {
      return null;
    }
    return type == SnapshotType.SAVEPOINT
        ? job.savepointTriggerNonce()
        : job.checkpointTriggerNonce();
  }
}
