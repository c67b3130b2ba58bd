package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the spec of a resource has already made Sluice take. One that says nothing is not the same
 * as none: no nonce was answered so far.
 */
@JsonRecord
public record SnapshotTrigger(
    @JsonPropertyDescription("The newest nonce that was answered, or that the job began with.")
        @Nullable Long nonce,
    @JsonPropertyDescription("Name of the FlinkStateSnapshot that was made for it, or would have.")
        @Nullable String snapshot,
    @JsonPropertyDescription(
            "When the newest periodic one was requested, or from when on they are, RFC 3339.")
        @Nullable String periodicTimestamp) {

  /** Nothing was ever asked for. */
  public static final SnapshotTrigger NONE = new SnapshotTrigger(null, null);

  /** Of a resource of which nothing is taken periodically. */
  public SnapshotTrigger(@Nullable Long nonce, @Nullable String snapshot) {
    this(nonce, snapshot, null);
  }

  /** When the newest periodic one was requested; empty where none is taken, or it is no time. */
  @JsonIgnore
  public Optional<Instant> periodicAt() {
    return WrittenTime.read(periodicTimestamp);
  }

  /** The same with another time of the newest periodic one. */
  public SnapshotTrigger withPeriodicTimestamp(@Nullable Instant at) {
    return new SnapshotTrigger(nonce, snapshot, at == null ? null : at.toString());
  }
}
