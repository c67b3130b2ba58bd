package dev.sluice.controller.snapshot;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that a nonce of the spec, else the time asks for now. Pure. The rules of nonces are
 * Apache's: one that the job began with asks for nothing, the newest one counts, and one that was
 * changed together with the rest of the spec is answered by the job that the upgrade started.
 *
 * @param before what was answered before; null for nothing
 * @param nonce null where the time asks
 * @param due when a periodic one was due; null where a nonce asks
 */
record SnapshotRequest(
    SnapshotType type,
    @Nullable SnapshotTrigger before,
    @Nullable Long nonce,
    @Nullable Instant due) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneOffset.UTC);

  /**
   * What the status has to say before anything more is taken. It remembers what was answered once
   * the next operation replaces the deployed spec, which says so until then, and from when on
   * periodic ones are taken.
   */
  static SnapshotTriggers known(SnapshotOwner seen) {
    SnapshotTriggers known =
        Objects.requireNonNullElse(seen.status().snapshotTriggers(), SnapshotTriggers.NONE);
    JobSpec deployed = seen.deployedJob();
    for (SnapshotType type : SnapshotType.values()) {
      SnapshotTrigger trigger = known.of(type);
      if (trigger == null && deployed != null && seen.frozenGeneration() != null) {
        // also where none asks: one that comes later may be frozen before another status is written
        trigger = new SnapshotTrigger(nonce(deployed, type), null);
      }
      if (trigger != null) {
        boolean periodic = interval(seen, type).isPresent();
        Instant last = trigger.periodicAt().orElse(seen.at());
        known = known.with(type, trigger.withPeriodicTimestamp(periodic ? last : null));
      }
    }
    return known;
  }

  /** What the job that is up is to be asked for; empty while there is nothing, or no such job. */
  static Optional<SnapshotRequest> of(
      SnapshotOwner seen, SnapshotTriggers known, SnapshotType type) {
    if (!seen.isJobUp() || !seen.takes(type)) {
      return Optional.empty();
    }
    SnapshotTrigger before = known.of(type);
    // a spec that is not valid asks for nothing; the job that runs has periodic ones all the same
    Long nonce = seen.violations().isEmpty() ? nonce(seen.wantedJob(), type) : null;
    return nonce != null && before != null && !nonce.equals(before.nonce())
        ? Optional.of(new SnapshotRequest(type, before, nonce, null))
        : due(seen, known, type)
            .filter(at -> !at.isAfter(seen.at()))
            .map(at -> new SnapshotRequest(type, before, null, at));
  }

  /** When the next periodic one is due, which may be over; empty for never. */
  static Optional<Instant> due(SnapshotOwner seen, SnapshotTriggers known, SnapshotType type) {
    return Optional.ofNullable(known.of(type))
        .flatMap(SnapshotTrigger::periodicAt)
        .flatMap(last -> interval(seen, type).flatMap(it -> it.after(last)));
  }

  private static Optional<SnapshotInterval> interval(SnapshotOwner seen, SnapshotType type) {
    if (seen.deployedJob() == null || !seen.takes(type)) {
      return Optional.empty();
    }
    // it may be deployed by an operator with other rules
    return FlinkConfiguration.readable(
        () -> SnapshotInterval.of(seen.operatorConfiguration(), type));
  }

  private static @Nullable Long nonce(@Nullable JobSpec job, SnapshotType type) {
    if (job == null) {
      return null;
    }
    return type == SnapshotType.SAVEPOINT
        ? job.savepointTriggerNonce()
        : job.checkpointTriggerNonce();
  }

  /** The FlinkStateSnapshot: the same after a crash, and another one than those before it. */
  FlinkStateSnapshot wanted(SnapshotOwner seen) {
    return RequestedSnapshot.of(
        type,
        due == null ? TriggerType.MANUAL : TriggerType.PERIODIC,
        seen.jobKind(),
        seen.resource().getMetadata(),
        suffix(seen.ref().uid()),
        seen.operatorConfiguration());
  }

  String suffix(String uid) {
    if (due != null) {
      return TIME.format(due);
    }
    String before = this.before == null ? null : this.before.snapshot();
    return nonce + "-" + RequestedSnapshot.hash("%s %s %s".formatted(uid, before, nonce));
  }

  /** What the status says afterwards; what was due while the job was not up counts once. */
  SnapshotTrigger answer(String snapshot, Instant now) {
    SnapshotTrigger known = Objects.requireNonNullElse(before, SnapshotTrigger.NONE);
    return due == null
        ? new SnapshotTrigger(nonce, snapshot, known.periodicTimestamp())
        : known.withPeriodicTimestamp(now);
  }

  String display() {
    return due == null
        ? "spec.job.%sTriggerNonce %d".formatted(type.word(), nonce)
        : "%s at %s".formatted(SnapshotInterval.key(type), due);
  }
}
