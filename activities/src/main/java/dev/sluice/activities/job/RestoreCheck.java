package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.workflows.job.AwaitRunningRequest;
import dev.sluice.workflows.job.RunningJob;
import dev.sluice.workflows.operation.FailureType;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a job which runs says it was restored from what it was given. It takes its own
 * checkpoints for an answer too: a job that failed over once was restored from one, and it could
 * only take it after the first restore.
 */
final class RestoreCheck {

  private final AwaitRunningRequest request;
  private final JobTarget target;
  private final FlinkRest flink;
  private final SettleTimer statistics;

  RestoreCheck(AwaitRunningRequest request, JobTarget target, FlinkRest flink, Clock clock) {
    this.request = request;
    this.target = target;
    this.flink = flink;
    this.statistics = new SettleTimer(clock, target.statisticsAge());
  }

  /** The job does not run, or no longer. */
  void notYet() {
    statistics.reset();
  }

  CompletableFuture<ProbeResult<RunningJob>> check(JobOverview job) {
    boolean last = statistics.reached();
    return restored().thenApply(path -> judge(job, path.orElse(null), last));
  }

  private CompletableFuture<Optional<String>> restored() {
    return flink
        .checkpoints(target.endpoint(), request.jobId())
        .thenApply(Checkpoints::latestRestored)
        .thenApply(restored -> restored.flatMap(Restored::externalPath))
        .exceptionallyCompose(
            thrown ->
                // a job that takes no checkpoints has no statistics
                FlinkRestException.in(thrown).orElse(null) instanceof FlinkRestException.NotFound
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.failedFuture(thrown));
  }

  private ProbeResult<RunningJob> judge(JobOverview job, @Nullable String path, boolean last) {
    String wanted = request.restoredFrom();
    if (path == null && wanted != null) {
      return last
          ? elsewhere("says that it started without any state", wanted)
          : ProbeResult.notYet("all tasks run; waiting for Flink to say what was restored");
    }
    if (path == null
        || (wanted != null && RestoredPath.same(path, wanted))
        || RestoredPath.isOwnCheckpoint(path, request.jobId())) {
      return ProbeResult.done(new RunningJob(request.jobId(), job.tasks().total(), path));
    }
    return elsewhere("says that it was restored from " + path, wanted);
  }

  private ProbeResult<RunningJob> elsewhere(String says, @Nullable String wanted) {
    return ProbeResult.failed(
        FailureType.RESTORED_ELSEWHERE,
        "job %s %s; it was to %s"
            .formatted(
                request.jobId(),
                says,
                wanted == null ? "start empty" : "be restored from " + wanted));
  }
}
