package dev.sluice.activities.flink;

import java.time.Instant;
import java.util.Optional;

/** The newest failure in a job's exception history; empty when it never failed. */
public record JobExceptions(Optional<Latest> latest) {

  /**
   * A failure that made the job fail or restart.
   *
   * @param taskName the task it came from; empty for a failure of the whole job
   */
  public record Latest(FlinkCause cause, Instant at, Optional<String> taskName) {}
}
