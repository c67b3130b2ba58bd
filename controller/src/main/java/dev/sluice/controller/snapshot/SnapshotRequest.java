package dev.sluice.controller.snapshot;

import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.controller.operation.AnnotationRequests;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is asked for now: by a nonce, else by an annotation. Pure.
 *
 * @param before what was answered before; null for nothing
 * @param nonce null where an annotation asks
 * @param value of the annotation; null where a nonce asks
 */
record SnapshotRequest(
    SnapshotType type,
    @Nullable SnapshotTrigger before,
    @Nullable Long nonce,
    @Nullable String value) {

  /** What the job that is up is to be asked for; empty while there is nothing, or no such job. */
  static Optional<SnapshotRequest> of(
      SnapshotOwner seen, SnapshotTriggers known, SnapshotType type) {
    SnapshotTrigger before = known.of(type);
    return SnapshotNonces.pending(seen, known, type)
        .map(nonce -> new SnapshotRequest(type, before, nonce, null))
        .or(
            () ->
                SnapshotNonces.requested(seen, type)
                    .map(value -> new SnapshotRequest(type, before, null, value)));
  }

  /** What makes the snapshot another one than those before it. */
  String suffix(SnapshotOwner seen) {
    return nonce == null
        ? SnapshotNonces.suffix(seen, before, String.valueOf(value))
        : SnapshotNonces.suffix(seen, before, nonce);
  }

  /** What was answered once it is taken; an annotation leaves the nonce as it was. */
  SnapshotTrigger answer(String snapshot, @Nullable String formatType) {
    Long known = before == null ? null : before.nonce();
    return new SnapshotTrigger(nonce == null ? known : nonce, snapshot, formatType, value);
  }

  /** As people wrote it. */
  String display() {
    return nonce == null
        ? "%s=%s".formatted(AnnotationRequests.annotation(type), value)
        : "spec.job.%sTriggerNonce %d".formatted(type.word(), nonce);
  }
}
