package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    @JsonPropertyDescription("The newest checkpoint.") @Nullable StatusSnapshot checkpoint,
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @JsonPropertyDescription(
            "Savepoints of jobStatus.savepointInfo.savepointHistory whose files could not be deleted.")
        List<FailedRemoval> failedRemovals) {

  private static final String MANUAL = "MANUAL";

  /** None was ever taken. */
  public static final StatusSnapshots NONE = new StatusSnapshots(null, null);

  public StatusSnapshots {
    failedRemovals = Json.copyOrEmpty(failedRemovals);
  }

  /** No removal has failed. */
  public StatusSnapshots(@Nullable StatusSnapshot savepoint, @Nullable StatusSnapshot checkpoint) {
    this(savepoint, checkpoint, List.of());
  }

  /** Of that type; null when none was begun. */
  public @Nullable StatusSnapshot of(SnapshotType type) {
    return type == SnapshotType.SAVEPOINT ? savepoint : checkpoint;
  }

  /** The same with another one of that type. */
  public StatusSnapshots with(SnapshotType type, StatusSnapshot snapshot) {
    return type == SnapshotType.SAVEPOINT
        ? new StatusSnapshots(snapshot, checkpoint, failedRemovals)
        : new StatusSnapshots(savepoint, snapshot, failedRemovals);
  }

  /** How the removal of what is at that location has failed; empty when it has not. */
  public Optional<FailedRemoval> failedRemoval(String location) {
    return failedRemovals.stream().filter(it -> location.equals(it.location())).findFirst();
  }

  /**
   * The same after another failure, once for each time. One of a savepoint that the history has
   * forgotten goes.
   *
   * @param history what it has now
   * @param time when that was
   */
  public StatusSnapshots withFailedRemoval(String location, List<Savepoint> history, String time) {
    FailedRemoval before = failedRemoval(location).orElse(new FailedRemoval(location, 0, null));
    if (time.equals(before.time())) {
      return this;
    }
    List<FailedRemoval> failed =
        new ArrayList<>(
            failedRemovals.stream()
                .filter(it -> !location.equals(it.location()))
                .filter(
                    it ->
                        history.stream()
                            .anyMatch(of -> Objects.equals(of.location(), it.location())))
                .toList());
    failed.add(new FailedRemoval(location, before.failureCount() + 1, time));
    return new StatusSnapshots(savepoint, checkpoint, failed);
  }

  /** The same once the files at that location are gone, or left to somebody. */
  public StatusSnapshots withRemoved(String location) {
    return new StatusSnapshots(
        savepoint,
        checkpoint,
        failedRemovals.stream().filter(it -> !location.equals(it.location())).toList());
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
                begun == null ? List.of() : begun.doubt(),
                null));
  }
}
