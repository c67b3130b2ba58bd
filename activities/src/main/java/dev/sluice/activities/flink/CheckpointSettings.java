package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.workflows.model.JobObservation.Retention;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a running job takes checkpoints ({@code GET /jobs/:id/checkpoints/config}): its own settings,
 * which may be set in its code and differ from the cluster's configuration.
 *
 * @param retention what becomes of its checkpoints when it is cancelled
 * @param timeout after which Flink gives up a checkpoint or savepoint
 * @param interval at which it takes them by itself; empty when it does not
 */
public record CheckpointSettings(
    Retention retention, Duration timeout, Optional<Duration> interval) {

  /** Flink's own default of {@code execution.checkpointing.timeout}. */
  private static final long DEFAULT_TIMEOUT_MS = 600_000;

  private record Kept(
      @JsonProperty("enabled") boolean enabled,
      @JsonProperty("delete_on_cancellation") boolean deletedOnCancellation) {}

  /**
   * Flink says the longest time that there is when it takes no checkpoints by itself. A longer
   * pause between two of them takes the place of the interval.
   */
  @JsonCreator
  static CheckpointSettings of(
      @JsonProperty("externalization") @Nullable Kept kept,
      @JsonProperty("timeout") @Nullable Long timeout,
      @JsonProperty("interval") @Nullable Long set,
      @JsonProperty("min_pause") @Nullable Long pause) {
    Optional<Long> interval = Optional.ofNullable(set).filter(it -> it > 0);
    return new CheckpointSettings(
        kept == null
            ? Retention.UNKNOWN
            : kept.enabled && !kept.deletedOnCancellation ? Retention.RETAINED : Retention.DELETED,
        Duration.ofMillis(timeout == null || timeout <= 0 ? DEFAULT_TIMEOUT_MS : timeout),
        interval
            .map(it -> pause == null ? it : Math.max(it, pause))
            .filter(it -> it != Long.MAX_VALUE)
            .map(Duration::ofMillis));
  }

  public CheckpointSettings(Retention retention, Duration timeout) {
    this(retention, timeout, Optional.empty());
  }
}
