package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest snapshot of each type that was taken, or is being taken, without a FlinkStateSnapshot.
 * Written by the workflows of snapshots only.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record StatusSnapshots(
    @JsonPropertyDescription("The newest savepoint.") @Nullable StatusSnapshot savepoint,
    @JsonPropertyDescription("The newest checkpoint.") @Nullable StatusSnapshot checkpoint) {

  private static final String MANUAL = "MANUAL";

  /** None was ever taken. */
  public static final StatusSnapshots NONE = new StatusSnapshots(null, null);

  /** Of that type; null when none was begun. */
  public @Nullable StatusSnapshot of(SnapshotType type) {
    return type == SnapshotType.SAVEPOINT ? savepoint : checkpoint;
  }

  /** The same with another one of that type. */
  public StatusSnapshots with(SnapshotType type, StatusSnapshot snapshot) {
    return type == SnapshotType.SAVEPOINT
        ? new StatusSnapshots(snapshot, checkpoint)
        : new StatusSnapshots(savepoint, snapshot);
  }

  /**
   * What the lane takes now: the one that was begun, else the one that Apache's operator has begun,
   * else the one that the newest nonce asks for; empty when there is none of these.
   *
   * @param triggers what nonces ask for; null for nothing
   * @param job what the status says of the job; null for nothing
   */
  public Optional<StatusSnapshot> wanted(
      @Nullable SnapshotTriggers triggers, @Nullable JobStatus job, SnapshotType type) {
    StatusSnapshot begun = of(type);
    if (begun != null && !begun.hasEnded()) {
      return Optional.of(begun);
    }
    Optional<StatusSnapshot> taken = takenOver(job, type);
    return taken.isPresent() ? taken : asked(triggers, type);
  }

  /**
   * The one that Apache's operator has triggered and not seen the end of, before Sluice took over.
   *
   * @param job what the status says of the job; null for nothing
   */
  public Optional<StatusSnapshot> takenOver(@Nullable JobStatus job, SnapshotType type) {
    PendingTrigger pending = job == null ? null : PendingTrigger.of(job, type);
    StatusSnapshot begun = of(type);
    boolean isOurs =
        pending != null
            && begun != null
            && begun.status() != null
            && pending.triggerId().equals(begun.status().triggerId());
    return pending == null || isOurs ? Optional.empty() : Optional.of(pending.taken(type, begun));
  }

  private Optional<StatusSnapshot> asked(@Nullable SnapshotTriggers triggers, SnapshotType type) {
    StatusSnapshot begun = of(type);
    SnapshotTrigger trigger = triggers == null ? null : triggers.of(type);
    if (trigger == null || trigger.formatType() == null || trigger.snapshot() == null) {
      return Optional.empty(); // none asks, or a FlinkStateSnapshot was made for it
    }
    return begun != null && trigger.snapshot().equals(begun.newestManual())
        ? Optional.empty()
        : Optional.of(
            new StatusSnapshot(
                trigger.snapshot(),
                MANUAL,
                trigger.formatType(),
                trigger.annotation() == null ? trigger.nonce() : null,
                trigger.snapshot(),
                begun == null ? null : begun.newestPeriodic(),
                null));
  }
}
