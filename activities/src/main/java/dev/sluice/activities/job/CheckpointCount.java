package dev.sluice.activities.job;

import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How many checkpoints and savepoints a job has completed since its JobManager started it, by
 * Flink's own count: a restart of its tasks does not begin it anew, another JobManager does.
 */
final class CheckpointCount {

  private final JobTarget target;
  private final FlinkRest flink;
  private final Throttle throttle;
  private @Nullable CheckpointSettings settings;
  private @Nullable Instant of;
  private long completed;

  CheckpointCount(JobTarget target, FlinkRest flink, Clock clock) {
    this.target = target;
    this.flink = flink;
    this.throttle = new Throttle(clock, target.statisticsAge());
  }

  /** How the job takes checkpoints by itself; empty when it takes none. */
  CompletableFuture<Optional<CheckpointSettings>> settings(JobOverview job) {
    CheckpointSettings known = settings;
    if (known != null) {
      return CompletableFuture.completedFuture(Optional.of(known));
    }
    return flink
        .checkpointSettings(target.endpoint(), job.jobId())
        .thenApply(
            told -> {
              Optional<CheckpointSettings> periodic = told.filter(it -> it.interval().isPresent());
              settings = periodic.orElse(null);
              return periodic;
            });
  }

  /** As Flink's statistics say, which are not asked more often than they change. */
  CompletableFuture<Long> completed(JobOverview job) {
    Instant start = job.times().start();
    boolean same = start.equals(of);
    if (!same) {
      of = start;
      completed = 0;
    }
    if (!throttle.isDue()) {
      return CompletableFuture.completedFuture(completed);
    }
    return flink
        .checkpoints(target.endpoint(), job.jobId())
        .thenApply(
            found -> {
              completed = found.map(it -> it.counts().completed()).orElse(0L);
              return completed;
            });
  }
}
