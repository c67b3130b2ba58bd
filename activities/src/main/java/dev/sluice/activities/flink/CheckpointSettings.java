package dev.sluice.activities.flink;

import dev.sluice.workflows.model.JobObservation.Retention;
import java.time.Duration;
import java.util.Optional;

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

  public CheckpointSettings(Retention retention, Duration timeout) {
    this(retention, timeout, Optional.empty());
  }
}
