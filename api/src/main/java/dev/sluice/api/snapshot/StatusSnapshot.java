package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is taken without a FlinkStateSnapshot: the status of its job's resource has it.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record StatusSnapshot(
    @JsonPropertyDescription("Tells it from the others; a FlinkStateSnapshot would have this name.")
        @Nullable String name,
    @JsonPropertyDescription("MANUAL or PERIODIC.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable TriggerType triggerType,
    @JsonPropertyDescription(
            "CANONICAL or NATIVE; of a checkpoint FULL, CONFIGURED or INCREMENTAL.")
        @Nullable String formatType,
    @JsonPropertyDescription("The nonce that asked for it; absent when it is periodic.")
        @Nullable Long triggerNonce,
    @JsonPropertyDescription("Name of the newest one that a nonce asked for and that was begun.")
        @Nullable String newestManual,
    @JsonPropertyDescription("As the status of a FlinkStateSnapshot.")
        @Nullable FlinkStateSnapshotStatus status) {

  /** What became of it so far. */
  @JsonIgnore
  public FlinkStateSnapshotStatus statusOrEmpty() {
    return Objects.requireNonNullElse(status, FlinkStateSnapshotStatus.EMPTY);
  }

  /** Whether nothing happens any more. */
  @JsonIgnore
  public boolean hasEnded() {
    return statusOrEmpty().stateOrPending().isFinal();
  }

  /** The same with another status. */
  public StatusSnapshot withStatus(FlinkStateSnapshotStatus next) {
    return new StatusSnapshot(name, triggerType, formatType, triggerNonce, newestManual, next);
  }

  /**
   * The FlinkStateSnapshot that it would be. Its uid is its own: another one than that of its
   * owner, and than that of any other snapshot.
   *
   * @param job kind of the resource that runs the job
   * @param owner metadata of that resource
   */
  public FlinkStateSnapshot asResource(SnapshotType type, JobKind job, ObjectMeta owner) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(owner.getNamespace())
            .withName(name)
            .withUid(uid(owner, String.valueOf(name)))
            .build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(job, owner.getName()),
            type == SnapshotType.SAVEPOINT ? savepoint() : null,
            type == SnapshotType.CHECKPOINT ? checkpoint() : null,
            null));
    snapshot.setStatus(statusOrEmpty());
    return snapshot;
  }

  /**
   * What a savepoint of the history would be as a FlinkStateSnapshot that is being deleted, and its
   * files with it.
   *
   * @param taken with its location
   * @param job kind of the resource that ran the job
   * @param owner metadata of that resource
   */
  public static FlinkStateSnapshot ofHistory(Savepoint taken, JobKind job, ObjectMeta owner) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(owner.getNamespace())
            .withName(owner.getName() + "-savepoint-history")
            .withUid(uid(owner, String.valueOf(taken.location())))
            .withDeletionTimestamp(Instant.ofEpochMilli(taken.timeStamp()).toString())
            .build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(job, owner.getName()),
            new SavepointSpec(taken.location(), null, true, true),
            null,
            null));
    snapshot.setStatus(
        FlinkStateSnapshotStatus.EMPTY
            .withState(SnapshotState.COMPLETED)
            .withPath(taken.location()));
    return snapshot;
  }

  private static String uid(ObjectMeta owner, String what) {
    String all = owner.getUid() + " " + what;
    return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private SavepointSpec savepoint() {
    boolean isNative = SavepointFormatType.NATIVE.name().equals(formatType);
    return new SavepointSpec(
        null, isNative ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL, false, null);
  }

  private CheckpointSpec checkpoint() {
    return new CheckpointSpec(
        formatType == null ? null : CheckpointType.parse(formatType).orElse(null));
  }
}
